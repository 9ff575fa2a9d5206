import { beforeEach, describe, expect, it } from "vitest";
import { type ActionEvent, Failure, int, type ListEvent, string } from "#framework";
import { decode } from "../../../harness/cty-codec.ts";
import { type Input, unknown } from "../../../harness/value.ts";
import { Core, capabilities, plain } from "../core.ts";
import { Cloud, cloud, defineAction, defineListResource, machine } from "../machine.ts";

let api: Cloud;
let ended = 0;
/** Serial numbers that are listed, and do not exist any more when they are read. */
let deleted: string[] = [];

const machines = defineListResource({
  resource: machine,
  doc: "",
  attributes: { zone: { type: string(), mode: "optional", doc: "" } },
  async *list({ api: server, config, limit }) {
    try {
      for (const { serial, name, zone } of server.machines.values()) {
        if (config.zone !== null && config.zone !== zone) continue;
        if (name === "broken") throw new Failure("Half a list", "The rest could not be read.");
        yield { id: { serial }, displayName: `${name} of ${limit}` };
        for (const gone of deleted.splice(0)) yield { id: { serial: gone }, displayName: gone };
      }
    } finally {
      ended += 1;
    }
  },
});

const restart = defineAction({
  type: "cloud_restart",
  doc: "",
  attributes: {
    name: { type: string(), mode: "required", doc: "" },
    times: { type: int({ min: 1 }), mode: "optional", doc: "" },
  },
  plan: ({ config, report }) => {
    if (config.name === "stone") report.error("name", "Not a machine", "Stones do not start.");
  },
  invoke: async ({ config, progress, report, signal }) => {
    progress("stopping");
    await Promise.resolve();
    progress("starting");
    if (config.name === "slow") {
      await new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
    }
    if (config.name === "gone") throw new Failure("Gone", "It is not there any more.");
    if (config.name === "odd") throw new TypeError("odd");
    if (config.name === "old") report.warning(null, "Old", "It will not last.");
  },
});

async function all<T>(stream: AsyncIterable<T>): Promise<T[]> {
  const items: T[] = [];
  for await (const item of stream) items.push(item);
  return items;
}

let core: Core;
beforeEach(async () => {
  api = new Cloud();
  ended = 0;
  for (const name of ["a", "b", "c"]) {
    const serial = `serial-${name}`;
    api.machines.set(serial, {
      serial,
      name,
      size: "1G",
      tags: [],
      zone: name === "c" ? "b" : "a",
      disks: {},
      order: [],
      password: null,
    });
  }
  core = await Core.start({
    ...cloud(api),
    listResources: { cloud_machine: () => machines },
    actions: { cloud_restart: () => restart },
  });
});

describe("listing", () => {
  const list = async (config: Input = {}, more: { limit?: number; includeResourceObject?: boolean } = {}) => {
    const request = {
      typeName: "cloud_machine",
      config: core.encode("listResources/cloud_machine", config),
      limit: 100,
      includeResourceObject: false,
      ...more,
    };
    return all(core.server.listResource(request, new AbortController().signal));
  };
  const serial = ({ identity }: ListEvent) =>
    decode({ kind: "object", attributes: { serial: { kind: "string" } } }, identity?.msgpack ?? new Uint8Array());

  it("finds matching objects, with identity and name", async () => {
    const events = await list({ zone: "a" });
    expect(events.map(({ displayName }) => displayName)).toEqual(["a of 100", "b of 100"]);
    expect(events.map(serial)).toEqual([{ serial: "serial-a" }, { serial: "serial-b" }]);
    expect(events[0]?.resourceObject).toBeUndefined();
  });

  it("stops at the limit, and closes the iterator", async () => {
    expect(await list({}, { limit: 2 })).toHaveLength(2);
    expect(ended).toBe(1);
  });

  it("returns whole objects on request, read as in an import", async () => {
    const [event] = await list({}, { includeResourceObject: true });
    expect(plain(core.decode("cloud_machine", event?.resourceObject))).toMatchObject({
      name: "a",
      size: "1024M",
      note: null,
    });
  });

  it("leaves out objects deleted in the meantime", async () => {
    deleted = ["serial-x"];
    const found = await list({}, { includeResourceObject: true });
    expect(found.map(serial)).toEqual([{ serial: "serial-a" }, { serial: "serial-b" }, { serial: "serial-c" }]);
    expect(deleted).toEqual([]);
  });

  it("ends without an error when Terraform has enough", async () => {
    const hangUp = new AbortController();
    const events = core.server.listResource(
      {
        typeName: "cloud_machine",
        config: core.encode("listResources/cloud_machine", {}),
        limit: 9,
        includeResourceObject: false,
      },
      hangUp.signal,
    );
    for await (const _event of events) {
      hangUp.abort();
      break;
    }
    expect(ended).toBe(1);
  });

  it("reports an error after the objects found before it", async () => {
    const b = api.machines.get("serial-b");
    if (b) b.name = "broken";
    const events = await list();
    expect(events).toHaveLength(2);
    expect(events[1]).toMatchObject({ diagnostics: [{ summary: "Half a list" }] });
    expect(events[1]?.identity).toBeUndefined();
  });
});

describe("actions", () => {
  const invoke = async (name: string, signal = new AbortController().signal) => {
    const config = core.encode("actions/cloud_restart", { name });
    return all(
      core.server.invokeAction({ typeName: "cloud_restart", config, clientCapabilities: capabilities }, signal),
    );
  };

  it("report progress, then completion", async () => {
    expect(await invoke("web")).toEqual([{ progress: "stopping" }, { progress: "starting" }, { completed: [] }]);
  });

  it.each([
    ["gone", "Gone"],
    ["odd", "Bug in the provider"],
    ["old", "Old"],
  ])("complete exactly once, also after errors (%s)", async (name, summary) => {
    const events = await invoke(name);
    expect(events.filter((event) => "completed" in event)).toHaveLength(1);
    expect(events.at(-1)).toMatchObject({ completed: [{ summary }] });
  });

  it("complete even if the action is unknown or its configuration is malformed", async () => {
    const signal = new AbortController().signal;
    const request = { typeName: "none", config: {}, clientCapabilities: capabilities };
    expect(await all(core.server.invokeAction(request, signal))).toMatchObject([
      { completed: [{ summary: "Unknown action" }] },
    ]);
    const garbled = { ...request, typeName: "cloud_restart", config: { msgpack: Uint8Array.of(0xc1) } };
    expect(await all(core.server.invokeAction(garbled, signal))).toMatchObject([
      { completed: [{ severity: "error" }] },
    ]);
  });

  it("are interrupted with all other calls", async () => {
    const events: ActionEvent[] = [];
    const config = core.encode("actions/cloud_restart", { name: "slow" });
    const request = { typeName: "cloud_restart", config, clientCapabilities: capabilities };
    for await (const event of core.server.invokeAction(request, new AbortController().signal)) {
      events.push(event);
      if ("progress" in event && event.progress === "starting") await core.server.stop();
    }
    expect(events.at(-1)).toMatchObject({ completed: [{ summary: "Interrupted: invoke cloud_restart" }] });
  });

  it("are planned and validated with the known values", async () => {
    const typeName = "cloud_restart";
    const encode = (input: Input) => core.encode("actions/cloud_restart", input);
    const plan = (input: Input) =>
      core.server.planAction({ typeName, config: encode(input), clientCapabilities: capabilities });
    expect((await plan({ name: "stone" })).diagnostics).toMatchObject([{ summary: "Not a machine" }]);
    expect((await plan({ name: unknown })).diagnostics).toEqual([]);
    const { diagnostics } = await core.server.validateActionConfig({
      typeName,
      config: encode({ name: "x", times: 0 }),
    });
    expect(diagnostics).toMatchObject([{ detail: "times is 0. Must be at least 1." }]);
  });
});

import { beforeEach, describe, expect, it } from "vitest";
import {
  createServer,
  Failure,
  int,
  list,
  map,
  nested,
  nullable,
  number,
  oneOf,
  set,
  string,
  timeouts,
} from "#framework";
import { unknown } from "../../../harness/value.ts";
import { Core, capabilities, isError, pathText, plain } from "../core.ts";
import { Cloud, cloud, defineProvider, defineResource, machine } from "../machine.ts";

const TYPE = "cloud_machine";

describe("validating", () => {
  const picky = defineResource({
    type: "cloud_picky",
    doc: "",
    attributes: {
      word: { type: oneOf(["a", "b"]), mode: "optional", doc: "" },
      port: { type: int({ min: 1, max: 65535 }), mode: "optional", doc: "" },
      ratio: { type: number(), mode: "optional", doc: "" },
      few: { type: list(string(), { min: 1, max: 2 }), mode: "optional", doc: "" },
      some: { type: set(oneOf(["a", "b"]), { max: 1 }), mode: "optional", doc: "" },
      gaps: { type: list(nullable(string())), mode: "optional", doc: "" },
      disks: {
        type: map(nested({ size: { type: int({ min: 1 }), mode: "required", doc: "" } })),
        mode: "optional",
        doc: "",
      },
      agents: { type: map(nested({ kind: { type: string(), mode: "optional", doc: "" } })), mode: "optional", doc: "" },
      serial: { type: string(), mode: "computed", instead: "Set `word`.", doc: "" },
      ports: {
        type: set(nested({ id: { type: int({ min: 1 }), mode: "computed", doc: "" } })),
        mode: "optional",
        doc: "",
      },
      source: { type: string(), mode: "required", local: true, doc: "" },
      timeouts: timeouts({ create: "1h30m" }),
    },
    validate: ({ config, report }) => {
      if (config.word === "a" && config.port === null) report.error("port", "Missing", "Needed with word a.");
    },
    create: () => ({}),
    read: () => null,
    delete: () => {},
  });
  let core: Core;
  beforeEach(async () => {
    core = await Core.start(
      defineProvider({
        name: "cloud",
        doc: "",
        attributes: {},
        resources: { cloud_picky: () => picky },
        configure: () => new Cloud(),
      }),
    );
  });
  const problems = async (config: Parameters<Core["validate"]>[1]) =>
    (await core.validate("cloud_picky", config)).map(({ path, detail }) => `${pathText(path)}: ${detail}`);

  it.each<[string, Parameters<Core["validate"]>[1], string[]]>([
    ["an empty configuration", {}, []],
    ["a word that is not one of them", { word: "c" }, ['word: word is "c". Must be one of "a", "b".']],
    ["a number that is too small", { port: 0 }, ["port: port is 0. Must be at least 1."]],
    ["a number that is too large", { port: 65536 }, ["port: port is 65536. Must be at most 65535."]],
    ["a fraction", { port: 1.5 }, ["port: port is 1.5. Must be a whole number of at most 9007199254740991."]],
    [
      "a number beyond 2^53",
      { port: 2n ** 60n },
      ["port: port is 1152921504606846976. Must be a whole number of at most 9007199254740991."],
    ],
    [
      "a whole number for a number",
      { ratio: 2n ** 60n },
      ["ratio: ratio is 1152921504606846976. Has more digits than can be handled exactly."],
    ],
    ["too few elements", { few: [] }, ["few: few is []. Must have at least 1 element."]],
    [
      "too many, though not all are known",
      { few: ["a", unknown, unknown] },
      ['few: few is ["a", (known after apply), (known after apply)]. Must have at most 2 elements.'],
    ],
    ["unknown elements of a set, which may turn out equal", { some: [unknown, unknown] }, []],
    ["an element of a set that is wrong", { some: ["c"] }, ['some: some contains "c". Must be one of "a", "b".']],
    ["a null among the elements", { few: ["a", null] }, ["few.1: few[1] is null. Must not be null."]],
    ["a null where nulls may be", { gaps: ["a", null] }, []],
    [
      "a nested value that is wrong",
      { disks: { x: { size: 0 } } },
      ['disks.x: disks["x"].size is 0. Must be at least 1.'],
    ],
    ["a null among nested values, which means that the key is absent", { disks: { x: null } }, []],
    ["an object in which nothing is known", { disks: { x: { size: unknown } } }, []],
    ["values that are not known yet", { word: unknown, port: unknown, disks: unknown }, []],
    ["a configuration that the resource itself refuses", { word: "a" }, ["port: Needed with word a."]],
    ["one that it may refuse later", { word: "a", port: unknown }, []],
    [
      "a value that only the provider sets",
      { serial: "x" },
      ["serial: serial is read-only: only the provider sets it. Set `word`."],
    ],
    [
      "one that is not known yet",
      { serial: unknown },
      ["serial: serial is read-only: only the provider sets it. Set `word`."],
    ],
    [
      "one in a set, and nothing else about it",
      { ports: [{ id: 0 }] },
      ["ports: ports.id is read-only: only the provider sets it. Remove the line."],
    ],
    [
      "a null where a value is required",
      { disks: { x: { size: null } } },
      ['disks.x: disks["x"].size is null. A value is required.'],
    ],
    ["a null that an imported object has, since the server does not return the value", { source: null }, []],
    ["a duration", { timeouts: { create: "10m" } }, []],
    [
      "no duration",
      { timeouts: { create: "ten" } },
      ['timeouts: timeouts.create is "ten". Must be a duration such as `30s`, `5m` or `1h30m`.'],
    ],
  ])("judges %s", async (_, config, expected) => {
    expect(await problems(config)).toEqual(expected);
  });

  it("warns of an object in which nothing is set, before the provider is configured", async () => {
    const server = createServer(
      defineProvider({
        name: "cloud",
        doc: "",
        attributes: {},
        resources: { cloud_picky: () => picky },
        configure: () => new Cloud(),
      }),
    );
    const unconfigured = new Core(server);
    await unconfigured.learn();
    const validated = (config: Parameters<Core["validate"]>[1]) => unconfigured.validate("cloud_picky", config);
    expect(await validated({ agents: { x: {} } })).toMatchObject([
      {
        severity: "warning",
        summary: "Nothing is set",
        detail:
          'agents["x"] sets nothing. Terraform drops names it does not know without a message: check the spelling. The settings of agents["x"] are kind.',
      },
    ]);
    expect(await validated({ disks: { x: { size: unknown } } })).toEqual([]);
    expect(await core.validate("cloud_picky", { agents: { x: {} } }), "a variable that is null").toEqual([]);
  });

  it("needs no configured provider", async () => {
    const server = createServer(cloud(new Cloud()));
    const core = new Core(server);
    await core.learn();
    expect(await core.validate(TYPE, { name: "a", size: "1G", zone: "a" })).toMatchObject([{ summary: "Bad zone" }]);
  });
});

describe("a provider whose configuration is not known yet", () => {
  const later = (deferralAllowed: boolean) =>
    Core.start(cloud(new Cloud()), { token: unknown }, { client: { deferralAllowed } });

  it("plans without an API", async () => {
    const plan = await (await later(false)).plan(TYPE, { name: "web", size: "1G" });
    expect(plan.diagnostics).toEqual([]);
    expect(plan.deferred).toBeUndefined();
    expect(plain(plan.state)).toMatchObject({ name: "web", zone: "?" });
  });

  it("leaves states as they are", async () => {
    const held = await (await Core.start(cloud(new Cloud()))).reach(TYPE, { name: "web", size: "1G" });
    const next = await (await later(false)).refresh(TYPE, held);
    expect(next).toMatchObject({ state: held.state, private: held.private, diagnostics: [] });
    expect(next.deferred).toBeUndefined();
  });

  it("defers what it can, if Terraform allows", async () => {
    const held = await (await Core.start(cloud(new Cloud()))).reach(TYPE, { name: "web", size: "1G" });
    const core = await later(true);
    expect((await core.plan(TYPE, { name: "web", size: "1G" })).deferred).toBe("provider_config_unknown");
    expect((await core.refresh(TYPE, held)).deferred).toBe("provider_config_unknown");
    const answer = await core.server.importResourceState({
      typeName: TYPE,
      id: "x",
      clientCapabilities: { ...capabilities, deferralAllowed: true },
    });
    expect(answer).toMatchObject({ imported: [], deferred: "provider_config_unknown", diagnostics: [] });
  });

  it("says what to do where it cannot continue", async () => {
    const core = await later(false);
    const held = await core.apply(TYPE, await core.plan(TYPE, { name: "web", size: "1G" }));
    expect(held.diagnostics).toMatchObject([
      { summary: "Provider is not configured", detail: expect.stringContaining("-target") },
    ]);
  });

  it("works as usual once it is known", async () => {
    const core = await later(true);
    const config = core.encode("provider", { token: "secret-token" });
    await core.server.configureProvider({ terraformVersion: "1.15.0", config, clientCapabilities: capabilities });
    await core.reach(TYPE, { name: "web", size: "1G" });
  });
});

describe("an operation that takes too long", () => {
  const waiting = (steps: Partial<typeof machine>) =>
    Core.start({ ...cloud(new Cloud()), resources: { cloud_machine: () => defineResource({ ...machine, ...steps }) } });
  const forever = (signal: AbortSignal) =>
    new Promise<never>((_resolve, reject) => {
      signal.addEventListener("abort", () => reject(signal.reason));
    });

  it("is aborted at its deadline, which the hook can see", async () => {
    let deadline: Date | null = null;
    const core = await waiting({
      settle: (context) => {
        deadline = context.deadline;
        return forever(context.signal);
      },
    });
    const held = await core.apply(
      TYPE,
      await core.plan(TYPE, { name: "web", size: "1G", timeouts: { create: "20ms" } }),
    );
    expect(held.diagnostics).toMatchObject([
      { summary: "Timeout: create cloud_machine", detail: expect.stringContaining("not done within 20ms") },
    ]);
    expect(held.tainted).toBe(true);
    expect(deadline).toBeInstanceOf(Date);
  });

  it("has no deadline by default", async () => {
    const { timeouts: _, ...attributes } = machine.attributes;
    let deadline: unknown;
    const core = await waiting({
      attributes: attributes as typeof machine.attributes,
      settle: (context) => {
        deadline = context.deadline;
      },
    });
    await core.reach(TYPE, { name: "web", size: "1G" });
    expect(deadline).toBeNull();
  });

  it("is aborted when Terraform is interrupted, and the existing object is stored", async () => {
    const reached = Promise.withResolvers<void>();
    const core = await waiting({
      settle: ({ signal }) => {
        reached.resolve();
        return forever(signal);
      },
    });
    const applying = core.apply(TYPE, await core.plan(TYPE, { name: "web", size: "1G" }));
    await reached.promise;
    expect(await core.server.stop()).toBe("");
    const held = await applying;
    expect(held.diagnostics).toMatchObject([{ summary: "Interrupted: create cloud_machine" }]);
    expect(plain(held.state)).toMatchObject({ serial: "serial-1" });
  });

  it("does not break the next run in the same process", async () => {
    const core = await Core.start(cloud(new Cloud()));
    await core.server.stop();
    const config = core.encode("provider", {});
    await core.server.configureProvider({ terraformVersion: "1.15.0", config, clientCapabilities: capabilities });
    await core.reach(TYPE, { name: "web", size: "1G" });
  });
});

describe("errors", () => {
  const failing = async (error: unknown, diagnose?: ReturnType<typeof cloud>["diagnose"]) => {
    const api = new Cloud();
    api.fail.create = error as Error;
    const core = await Core.start({ ...cloud(api), ...(diagnose ? { diagnose } : {}) }, { token: "top-secret" });
    return (await core.apply(TYPE, await core.plan(TYPE, { name: "web", size: "1G" }))).diagnostics;
  };

  it("that are meant for the user are shown as they are", async () => {
    const error = new Failure("Disk is full", "Buy another one.", { path: "size" });
    expect(await failing(error)).toEqual([
      { severity: "error", summary: "Disk is full", detail: "Buy another one.", path: [{ attribute: "size" }] },
    ]);
  });

  it("that are meant for the user are shown even if they were wrapped", async () => {
    const error = new Error("VM 7", { cause: new Failure("Disk is full", "Buy another one.") });
    expect(await failing(error)).toMatchObject([{ summary: "Disk is full", detail: "Buy another one." }]);
  });

  it("that were not expected are shown with their cause", async () => {
    const [diagnostic] = await failing(new Error("VM 7", { cause: new TypeError("x is undefined") }));
    expect(diagnostic?.detail).toContain("VM 7: x is undefined");
  });

  it("are explained by the provider", async () => {
    const about: unknown[] = [];
    const diagnostics = await failing(new TypeError("E42"), (error, what) => {
      about.push(what.operation, what.type);
      return { summary: "Cloud says no", detail: String(error), path: "disks.nowhere" };
    });
    expect(diagnostics).toMatchObject([{ summary: "Cloud says no", detail: "TypeError: E42" }]);
    expect(about).toEqual(["create", TYPE]);
  });

  it.each([new Error("odd"), "odd", { message: "odd" }, undefined])(
    "that were not expected are bugs: %j",
    async (error) => {
      const [diagnostic] = await failing(error ?? Object.assign(new Error("odd")));
      expect(diagnostic?.detail).toContain(
        "This is a bug in the provider, please report it: cloud_machine, ApplyResourceChange.",
      );
    },
  );

  it("in the explanation of errors are bugs too", async () => {
    const diagnostics = await failing(new Error("E42"), () => {
      throw new Error("speechless");
    });
    expect(diagnostics.filter(isError).map(({ detail }) => detail)).toEqual([
      expect.stringContaining("speechless"),
      expect.stringContaining("E42"),
    ]);
  });

  it("never show the provider's own secrets", async () => {
    const [diagnostic] = await failing(new Error("token top-secret refused"));
    expect(diagnostic?.detail).toContain("token (sensitive value) refused");
  });

  it("about an unknown type get a response", async () => {
    const server = createServer(cloud(new Cloud()));
    const answer = await server.validateResourceConfig({
      typeName: "none",
      config: {},
      clientCapabilities: capabilities,
    });
    expect(answer.diagnostics).toMatchObject([{ summary: "Unknown resource" }]);
  });
});

describe("secrets", () => {
  it("are passed on to be kept out of logs", async () => {
    const received: string[] = [];
    const core = await Core.start(
      cloud(new Cloud()),
      { token: "top-secret" },
      { onSecret: (secret) => received.push(secret) },
    );
    await core.plan(TYPE, { name: "web", size: "1G", token: "s3cr3t", password: "hunter22" });
    expect(received).toEqual(expect.arrayContaining(["top-secret", "s3cr3t", "hunter22"]));
    expect(received).not.toContain("web");
  });

  it("of an earlier configuration are released by the next one", async () => {
    const tickets = ["first-ticket", "second-ticket"];
    const provider = defineProvider({
      ...cloud(new Cloud()),
      configure({ conceal }) {
        conceal(tickets.shift() ?? "");
        return new Cloud();
      },
      validate({ report }) {
        report.warning(null, "first-ticket, second-ticket", "Both are shown unless they are secrets.");
      },
    });
    const core = await Core.start(provider);
    const config = core.encode("provider", {});
    const shown = async () => (await core.server.validateProviderConfig({ config })).diagnostics[0]?.summary;
    expect(await shown()).toBe("(sensitive value), second-ticket");
    await core.server.configureProvider({ terraformVersion: "1.15.0", config, clientCapabilities: capabilities });
    expect(await shown()).toBe("first-ticket, (sensitive value)");
  });
});

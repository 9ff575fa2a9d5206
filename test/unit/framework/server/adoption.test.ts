import { beforeEach, describe, expect, it } from "vitest";
import { createServer, int, type Json, string } from "#framework";
import { encode } from "../../../harness/cty-codec.ts";
import type { Type } from "../../../harness/type.ts";
import { toValue } from "../../../harness/value.ts";
import { Core, plain, refuse } from "../core.ts";
import { Cloud, cloud, defineProvider, defineResource, machine } from "../machine.ts";

/**
 * A resource with a history: other names in its first two state versions, an identity of two parts, and moves from
 * other types.
 */
const disk = defineResource({
  type: "cloud_disk",
  doc: "A disk.",
  version: 2,
  identity: {
    attributes: ["pool", "number"],
    version: 1,
    upgrades: { 0: (old) => ({ pool: old["pool"], number: Number(old["nr"]) }) },
  },
  privateState: { origin: "" },
  upgrades: {
    0: ({ capacity, ...rest }) => ({ ...rest, bytes: capacity }),
    1: async ({ bytes, ...rest }) => ({ ...rest, size: bytes }),
  },
  moves: [
    {
      provider: "other/cloud",
      type: "other_volume",
      move: ({ state, version, privateState }) => {
        privateState.origin = `other_volume ${version}`;
        return { pool: String(state["pool_name"]), number: Number(state["nr"]), label: String(state["label"]) };
      },
    },
  ],
  attributes: {
    pool: { type: string(), mode: "required", doc: "" },
    number: { type: int(), mode: "required", doc: "" },
    size: { type: int(), mode: "optional_computed", doc: "" },
    used: { type: int(), mode: "computed", doc: "" },
    label: { type: string(), mode: "optional", local: true, doc: "" },
    old_label: { type: string(), mode: "optional", deprecated: "Use label.", doc: "" },
    secret: { type: string(), mode: "optional", writeOnly: true, doc: "" },
  },
  omitFromConfig: ({ state }) => (state.size === 0 ? ["size"] : []),
  prefetch: (cloud) => void cloud.calls.push("foreseen"),
  inState: (cloud, { pool, number }) => void cloud.calls.push(`has ${pool}/${number}`),
  create: ({ desired }) => ({ pool: desired.pool, number: desired.number }),
  read: ({ id, purpose, privateState }) => {
    privateState.origin ||= purpose;
    return id.number === 404 ? null : { ...id, size: 5, used: 1, old_label: null };
  },
  delete: () => {},
});

const provider = defineProvider({
  name: "cloud",
  doc: "",
  attributes: {},
  resources: { cloud_disk: () => disk, cloud_machine: () => machine },
  configure: () => new Cloud(),
});

const TYPE = "cloud_disk";
const identityType: Type = { kind: "object", attributes: { pool: { kind: "string" }, number: { kind: "number" } } };
let core: Core;

beforeEach(async () => {
  core = await Core.start(provider);
});

describe("importing", () => {
  it("takes the identity's values joined by slashes", async () => {
    const held = await core.import(TYPE, "ssd/7");
    refuse(held.diagnostics);
    expect(plain(held.state)).toMatchObject({ pool: "ssd", number: 7, size: 5, label: null });
    expect(JSON.parse(Buffer.from(held.private).toString())).toEqual({ value: { origin: "import" } });
  });

  it("takes an identity", async () => {
    const { msgpack } = (await core.import(TYPE, "ssd/7")).identity ?? {};
    if (!msgpack) throw new Error("no identity");
    const held = await core.import(TYPE, "", { msgpack });
    expect(plain(held.state)).toMatchObject({ pool: "ssd", number: 7 });
  });

  it("is followed by an empty plan", async () => {
    const held = await core.import(TYPE, "ssd/7");
    expect((await core.plan(TYPE, { pool: "ssd", number: 7 }, held)).state).toEqual(held.state);
  });

  it("reads the object as imported once, and as its own from then on", async () => {
    const held = await core.import(TYPE, "ssd/7");
    held.private = Buffer.from(JSON.stringify({ value: { origin: "" } }));
    const { private: bytes } = await core.refresh(TYPE, held);
    expect(JSON.parse(Buffer.from(bytes).toString())).toEqual({ value: { origin: "refresh" } });
  });

  it("leaves it to Terraform to report a missing object", async () => {
    expect((await core.import(TYPE, "ssd/404")).state).toBeNull();
  });

  it.each([
    ["ssd", "has the form <pool>/<number>"],
    ["ssd/1/2", "has the form <pool>/<number>"],
    ["/1", "has the form <pool>/<number>"],
    ["ssd/one", "number must be a number"],
  ])("refuses the ID %j", async (id, reason) => {
    const { diagnostics } = await core.import(TYPE, id);
    expect(diagnostics).toMatchObject([{ summary: "Invalid import ID", detail: expect.stringContaining(reason) }]);
  });

  it("lets the resource resolve the ID, if it has a hook for that", async () => {
    const named = defineResource({ ...machine, import: ({ id }) => ({ serial: `serial-of-${id}` }) });
    const api = new Cloud();
    const other = await Core.start({ ...cloud(api), resources: { cloud_machine: () => named } });
    api.machines.set("serial-of-web", {
      serial: "serial-of-web",
      name: "web",
      size: "1G",
      tags: [],
      zone: "a",
      disks: {},
      order: [],
      password: null,
    });
    expect(plain((await other.import("cloud_machine", "web")).state)).toMatchObject({ name: "web", size: "1024M" });
  });
});

describe("identities", () => {
  it("are described, with their own version", async () => {
    const { identitySchemas } = await core.server.getResourceIdentitySchemas();
    expect(identitySchemas[TYPE]).toMatchObject({
      version: 1,
      attributes: [
        { name: "pool", type: "string", requiredForImport: true },
        { name: "number", type: "number", requiredForImport: true },
      ],
    });
  });

  it("are upgraded", async () => {
    const raw = { json: Buffer.from('{"pool":"ssd","nr":"7"}') };
    const { upgradedIdentity, diagnostics } = await core.server.upgradeResourceIdentity({
      typeName: TYPE,
      version: 0,
      raw,
    });
    refuse(diagnostics);
    const expected = encode(identityType, toValue(identityType, { pool: "ssd", number: 7 }));
    expect(Buffer.from(upgradedIdentity?.msgpack ?? [])).toEqual(Buffer.from(expected));
  });

  it("change only with a replacement, and stay known otherwise", async () => {
    const held = await core.reach(TYPE, { pool: "ssd", number: 1 });
    expect((await core.plan(TYPE, { pool: "ssd", number: 2 }, held)).replace).toEqual(["number"]);
  });

  it("of another object in the result of a read are a bug", async () => {
    const wrong = defineResource({
      ...disk,
      read: () => ({ pool: "x", number: 0, size: 5, used: 1, old_label: null }),
    });
    const other = await Core.start({ ...provider, resources: { [TYPE]: () => wrong } });
    const held = await core.reach(TYPE, { pool: "ssd", number: 1 });
    const next = await other.refresh(TYPE, held);
    expect(next.diagnostics).toMatchObject([{ detail: expect.stringContaining("returned another") }]);
    expect(next.state).toEqual(held.state);
  });
});

describe("upgrading a stored state", () => {
  const upgrade = (version: number, state: Json | string) =>
    core.server.upgradeResourceState({
      typeName: TYPE,
      version,
      raw: { json: Buffer.from(typeof state === "string" ? state : JSON.stringify(state)) },
    });

  it.each([
    [0, { pool: "ssd", number: 1, capacity: 5 }],
    [1, { pool: "ssd", number: 1, bytes: 5 }],
    [2, { pool: "ssd", number: 1, size: 5, gone: true }],
  ])("of version %i yields the current version", async (version, state) => {
    const { upgradedState, diagnostics } = await upgrade(version, state);
    refuse(diagnostics);
    expect(plain(core.decode(TYPE, upgradedState))).toMatchObject({ pool: "ssd", number: 1, size: 5, used: null });
  });

  it("keeps every digit", async () => {
    const { upgradedState } = await upgrade(2, '{"pool":"ssd","number":1,"size":12345678901234567890123}');
    expect(plain(core.decode(TYPE, upgradedState))).toMatchObject({ size: "12345678901234567890123" });
  });

  it("informs the resource what is in the state, and announces reads after the response to Terraform", async () => {
    const api = new Cloud();
    core = await Core.start({ ...provider, configure: () => api });
    await upgrade(2, { pool: "ssd", number: 1 });
    expect(api.calls).toEqual(["has ssd/1"]);
    await new Promise((resolve) => setImmediate(resolve));
    expect(api.calls).toEqual(["has ssd/1", "foreseen"]);
  });

  it("works without a configured provider", async () => {
    const server = createServer(provider);
    const answer = await server.upgradeResourceState({ typeName: TYPE, version: 2, raw: { json: Buffer.from("{}") } });
    expect(answer.diagnostics).toEqual([]);
  });

  it.each([
    ["a newer version", 3, "{}", "newer than the provider"],
    ["no object", 2, "[]", "Unable to read"],
    ["nothing", 2, "", "Unable to read"],
    ["no JSON", 2, "{", "Bug in the provider"],
    ["another type", 2, '{"pool":{}}', "Bug in the provider"],
  ])("refuses %s", async (_, version, state, summary) => {
    const { diagnostics } = await upgrade(version, state);
    expect(diagnostics).toMatchObject([{ severity: "error", summary: expect.stringContaining(summary) }]);
  });

  it("refuses states of Terraform before 0.12", async () => {
    const raw = { flatmap: { pool: "ssd" } };
    const { diagnostics } = await core.server.upgradeResourceState({ typeName: TYPE, version: 0, raw });
    expect(diagnostics[0]?.detail).toContain("older than 0.12");
  });
});

describe("moving from another resource", () => {
  const request = (address: string, type: string) => ({
    sourceProviderAddress: address,
    sourceTypeName: type,
    sourceSchemaVersion: 3,
    sourceState: { json: Buffer.from('{"pool_name":"ssd","nr":"9","label":"mine"}') },
    sourcePrivate: Buffer.from("foreign"),
    targetTypeName: TYPE,
  });
  const move = (address: string, type: string) => core.server.moveResourceState(request(address, type));

  it.each(["other/cloud", "registry.terraform.io/other/cloud", "registry.opentofu.org/other/cloud"])(
    "accepts the state of %s",
    async (address) => {
      const { targetState, targetPrivate, targetIdentity, diagnostics } = await move(address, "other_volume");
      refuse(diagnostics);
      expect(plain(core.decode(TYPE, targetState))).toMatchObject({
        pool: "ssd",
        number: 9,
        label: "mine",
        size: null,
      });
      expect(JSON.parse(Buffer.from(targetPrivate).toString())).toEqual({ value: { origin: "other_volume 3" } });
      expect(targetIdentity).toBeDefined();
    },
  );

  it.each(["registry.terraform.io/mine/cloud", "registry.opentofu.org/mine/cloud"])(
    "accepts it from %s, this provider, which Terraform names for the second instance of a resource",
    async (address) => {
      const own = createServer(provider, { address: "registry.terraform.io/mine/cloud" });
      const { targetState, diagnostics } = await own.moveResourceState(request(address, "other_volume"));
      refuse(diagnostics);
      expect(plain(core.decode(TYPE, targetState))).toMatchObject({ pool: "ssd", number: 9 });
      const other = await own.moveResourceState(request(address, "other_disk"));
      expect(other.diagnostics[0]?.detail).toContain("other_volume (other/cloud)");
    },
  );

  it("explains how to move instances where both types have the same name, since Terraform requests no move then", async () => {
    const namesake = { ...disk, moves: (disk.moves ?? []).map((rule) => ({ ...rule, type: TYPE })) };
    const server = createServer({ ...provider, resources: { [TYPE]: () => namesake } });
    const raw = { json: Buffer.from('{"label":"mine"}') };
    const { diagnostics, upgradedState } = await server.upgradeResourceState({ typeName: TYPE, version: 7, raw });
    expect(upgradedState).toBeUndefined();
    expect(diagnostics).toMatchObject([{ summary: "State of another provider" }]);
    expect(diagnostics[0]?.detail).toContain("to   = cloud_disk.NEW");
  });

  it.each([
    ["registry.terraform.io/another/cloud", "other_volume"],
    ["registry.terraform.io/other/cloud", "other_disk"],
  ])("refuses %s %s, and names the supported sources", async (address, type) => {
    const { diagnostics, targetState } = await move(address, type);
    expect(targetState).toBeUndefined();
    expect(diagnostics[0]?.detail).toContain("other_volume (other/cloud)");
  });
});

describe("generating configuration", () => {
  const generate = async (state: Parameters<Core["encode"]>[1]) => {
    const { config, diagnostics } = await core.server.generateResourceConfig({
      typeName: TYPE,
      state: core.encode(TYPE, state),
    });
    refuse(diagnostics);
    return plain(core.decode(TYPE, config));
  };

  it("leaves out computed and deprecated attributes", async () => {
    const config = await generate({ pool: "ssd", number: 1, size: 5, used: 3, old_label: "x", label: "y" });
    expect(config).toEqual({ pool: "ssd", number: 1, size: 5, used: null, old_label: null, label: "y", secret: null });
  });

  it("leaves out what the resource excludes", async () => {
    expect(await generate({ pool: "ssd", number: 1, size: 0 })).toMatchObject({ size: null });
  });
});

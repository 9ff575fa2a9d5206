import { beforeEach, describe, expect, it } from "vitest";
import { createServer, type DynamicValue, decimal, dynamic, int, list, nested, nullable, string } from "#framework";
import { decode, encode } from "../../../harness/cty-codec.ts";
import { parseType } from "../../../harness/type.ts";
import { Dynamic, type Input, toValue, unknown } from "../../../harness/value.ts";
import { Core, capabilities, plain, refuse } from "../core.ts";
import { Cloud, cloud, defineDataSource, defineEphemeral, defineFunction } from "../machine.ts";

const zone = defineDataSource({
  type: "cloud_zone",
  doc: "",
  attributes: {
    name: { type: string(), mode: "required", doc: "" },
    kind: { type: string(), mode: "optional_computed", doc: "" },
    hint: { type: string(), mode: "optional", doc: "" },
    hosts: { type: list(nested({ name: { type: string(), mode: "computed", doc: "" } })), mode: "computed", doc: "" },
  },
  validate: ({ config, report }) => {
    if (config.name === "") report.error("name", "Empty", "Say which.");
  },
  read: ({ config, api }) => {
    api.note("read");
    return config.name === "none" ? null : { kind: "near", hosts: [{ name: `${config.name}-1` }] };
  },
});

const ticket = defineEphemeral({
  type: "cloud_ticket",
  doc: "",
  privateState: { id: "", renewed: 0 },
  attributes: {
    user: { type: string(), mode: "required", doc: "" },
    value: { type: string(), mode: "computed", sensitive: true, doc: "" },
  },
  open: ({ config, privateState }) => {
    privateState.id = `ticket-of-${config.user}`;
    return { result: { value: "t0p-secret" }, renewAt: new Date(1_000) };
  },
  renew: ({ privateState }) => {
    privateState.renewed += 1;
    return privateState.renewed < 2 ? { renewAt: new Date(2_000) } : {};
  },
  close: ({ api, privateState }) => {
    api.calls.push(`close ${privateState.id} after ${privateState.renewed}`);
  },
});

const functions = {
  join: () =>
    defineFunction({
      name: "join",
      summary: "Joins.",
      doc: "",
      parameters: {
        separator: { type: string(), doc: "" },
        first: { type: nullable(string()), doc: "", allowUnknown: true },
      },
      variadic: { rest: { type: string(), doc: "" } },
      returns: string(),
      call: ({ separator, first, rest }, { fail }) => {
        if (separator === "") fail("separator", "It must not be empty");
        const bad = rest.indexOf("bad");
        if (bad >= 0) fail("rest", "That one is bad", bad);
        return [first ?? (first === null ? "null" : "unknown"), ...rest].join(separator);
      },
    }),
  double: () =>
    defineFunction({
      name: "double",
      summary: "Doubles.",
      doc: "",
      parameters: { amount: { type: int({ min: 1 }), doc: "" } },
      returns: decimal(),
      call: ({ amount }) => 2n * BigInt(amount),
    }),
  echo: () =>
    defineFunction({
      name: "echo",
      summary: "Echoes.",
      doc: "",
      parameters: { anything: { type: dynamic(), doc: "" } },
      returns: dynamic(),
      call: ({ anything }) => anything,
    }),
  broken: () =>
    defineFunction({
      name: "broken",
      summary: "Breaks.",
      doc: "",
      parameters: {},
      returns: string(),
      call: () => 3 as unknown as string,
    }),
};

let api: Cloud;
let core: Core;
const provider = (of: Cloud) => ({
  ...cloud(of),
  dataSources: { cloud_zone: () => zone },
  ephemerals: { cloud_ticket: () => ticket },
  functions,
});

beforeEach(async () => {
  api = new Cloud();
  core = await Core.start(provider(api));
});

describe("data sources", () => {
  const read = (config: Input, deferralAllowed = false, of = core) =>
    of.server.readDataSource({
      typeName: "cloud_zone",
      config: of.encode("dataSources/cloud_zone", config),
      clientCapabilities: { ...capabilities, deferralAllowed },
    });

  it("return their arguments and their results", async () => {
    const { state, diagnostics } = await read({ name: "north", hint: "x" });
    refuse(diagnostics);
    expect(plain(core.decode("dataSources/cloud_zone", state))).toEqual({
      name: "north",
      hint: "x",
      kind: "near",
      hosts: [{ name: "north-1" }],
    });
  });

  it("leave arguments as they were given", async () => {
    const { state } = await read({ name: "north", kind: "far" });
    expect(plain(core.decode("dataSources/cloud_zone", state))).toMatchObject({ kind: "far" });
  });

  it("report a missing object", async () => {
    expect((await read({ name: "none" })).diagnostics).toMatchObject([{ summary: "Not found" }]);
  });

  it("are validated", async () => {
    const config = core.encode("dataSources/cloud_zone", { name: "" });
    const { diagnostics } = await core.server.validateDataResourceConfig({ typeName: "cloud_zone", config });
    expect(diagnostics).toMatchObject([{ summary: "Empty", path: [{ attribute: "name" }] }]);
  });

  it("are deferred until the provider is configured, or fail", async () => {
    const later = await Core.start(provider(api), { token: unknown });
    const put = await read({ name: "north" }, true, later);
    expect(put).toMatchObject({ deferred: "provider_config_unknown", diagnostics: [] });
    expect(plain(later.decode("dataSources/cloud_zone", put.state))).toMatchObject({ name: "north", hosts: "?" });
    expect((await read({ name: "north" }, false, later)).diagnostics).toMatchObject([
      { summary: "Provider is not configured" },
    ]);
    expect(api.calls).toEqual([]);
  });
});

describe("functions", () => {
  const sent = (type: unknown, input: Input): DynamicValue => {
    const of = parseType(type);
    return { msgpack: encode(of, toValue(of, input)) };
  };
  const call = (name: string, args: DynamicValue[]) =>
    createServer(provider(api)).callFunction({ name, arguments: args });
  const text = (...args: Input[]) => args.map((arg) => sent("string", arg));

  it.each<[string, Input[], string]>([
    ["take their arguments", [", ", "a"], "a"],
    ["take any number of further arguments", ["-", "a", "b", "c"], "a-b-c"],
    ["take null where it is allowed", ["-", null, "b"], "null-b"],
    ["take unknown values where they are allowed", ["-", unknown, "b"], "unknown-b"],
  ])("%s, without a configured provider", async (_, args, result) => {
    const answer = await call("join", text(...args));
    expect(answer.error).toBeUndefined();
    expect(decode({ kind: "string" }, answer.result?.msgpack ?? new Uint8Array())).toBe(result);
  });

  it.each<[string, string, DynamicValue[], { text: string; argument?: number }]>([
    ["an argument", "join", text("", "a"), { text: "It must not be empty", argument: 0 }],
    ["one of many arguments", "join", text("-", "a", "b", "bad"), { text: "That one is bad", argument: 3 }],
    ["an argument its type forbids", "double", [sent("number", 0)], { text: "Must be at least 1", argument: 0 }],
    [
      "an argument of another type",
      "double",
      [{ msgpack: Buffer.from("a161", "hex") }],
      { text: "Expected a number", argument: 0 },
    ],
    [
      "its own result",
      "broken",
      [],
      { text: expect.stringContaining("This is a bug in the provider, please report it: broken, CallFunction") },
    ],
    ["an unknown name", "none", [], { text: 'The provider has no function "none"' }],
  ])("may refuse %s", async (_, name, args, error) => {
    expect((await call(name, args)).error).toEqual(error);
  });

  it("return numbers of any size", async () => {
    const { result } = await call("double", [sent("number", Number.MAX_SAFE_INTEGER)]);
    expect(plain(decode({ kind: "number" }, result?.msgpack ?? new Uint8Array()))).toBe("18014398509481982");
  });

  it("take and return values of any type", async () => {
    const value = new Dynamic(
      { kind: "object", attributes: { a: { kind: "number" } } },
      toValue({ kind: "object", attributes: { a: { kind: "number" } } }, { a: 1 }),
    );
    const { result } = await call("echo", [{ msgpack: encode({ kind: "dynamic" }, value) }]);
    expect(decode({ kind: "dynamic" }, result?.msgpack ?? new Uint8Array())).toEqual(value);
  });

  it("have the same description for OpenTofu and Terraform", async () => {
    const server = createServer(provider(api));
    const { functions: described } = await server.getFunctions();
    expect((await server.getProviderSchema()).functions).toEqual(described);
    expect(described["join"]).toMatchObject({
      parameters: [
        { name: "separator", type: "string", allowNull: false, allowUnknown: false },
        { name: "first", allowNull: true, allowUnknown: true },
      ],
      variadicParameter: { name: "rest" },
      returnType: "string",
    });
  });
});

describe("ephemeral resources", () => {
  const typeName = "cloud_ticket";

  it("are opened, renewed and closed, and keep their private data", async () => {
    const config = core.encode("ephemeralResources/cloud_ticket", { user: "ann" });
    const opened = await core.server.openEphemeralResource({ typeName, config, clientCapabilities: capabilities });
    refuse(opened.diagnostics);
    expect(plain(core.decode("ephemeralResources/cloud_ticket", opened.result))).toEqual({
      user: "ann",
      value: "t0p-secret",
    });
    expect(opened.renewAt).toEqual(new Date(1_000));
    let handle = opened.private ?? new Uint8Array();
    const renewed = await core.server.renewEphemeralResource({ typeName, private: handle });
    expect(renewed.renewAt).toEqual(new Date(2_000));
    handle = renewed.private ?? new Uint8Array();
    const last = await core.server.renewEphemeralResource({ typeName, private: handle });
    expect(last.renewAt).toBeUndefined();
    await core.server.closeEphemeralResource({ typeName, private: last.private ?? new Uint8Array() });
    expect(api.calls).toEqual(["close ticket-of-ann after 2"]);
  });

  it("are deferred until the provider is configured", async () => {
    const later = await Core.start(provider(api), { token: unknown });
    const config = later.encode("ephemeralResources/cloud_ticket", { user: "ann" });
    const clientCapabilities = { ...capabilities, deferralAllowed: true };
    expect(await later.server.openEphemeralResource({ typeName, config, clientCapabilities })).toMatchObject({
      deferred: "provider_config_unknown",
      diagnostics: [],
    });
  });
});

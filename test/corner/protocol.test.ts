import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { clientCertificate } from "../harness/client-certificate.ts";
import { decode, encode } from "../harness/cty-codec.ts";
import { Core, Dynamic, type Input, type Launched, launch, ProviderErrors } from "../harness/index.ts";
import { parseType } from "../harness/type.ts";
import { toValue } from "../harness/value.ts";
import { buildCorner } from "./build-corner.ts";
import { temporaryFolder } from "./suite.ts";

/** Calls that the installed binaries are too old to make, made over the wire. */
const store = temporaryFolder("corner-store-");
let provider: Launched;
let core: Core;

beforeAll(async () => {
  const { path } = await buildCorner();
  provider = await launch([path], { client: clientCertificate(), env: { CORNER_FOLDER: store.path } });
  core = await Core.connect(provider.wire);
  await core.configure({});
});

afterAll(async () => {
  await provider.stop();
  store.remove();
});

const pack = (type: unknown, input: Input) => {
  const parsed = parseType(type);
  return { msgpack: encode(parsed, toValue(parsed, input)) };
};
const capabilities = { write_only_attributes_allowed: true };

describe("import", () => {
  test("finds an object by its id and by its identity", async () => {
    const pair = core.resource("corner_pair");
    const config = { region: "north", name: "lights", weight: 7 };
    const made = await pair.create(config);
    const byId = await pair.import({ id: "north/lights" });
    const byIdentity = await pair.import({ identity: { region: "north", name: "lights" } });
    expect(byId.state).toEqual(made.state);
    expect(byIdentity.state).toEqual(made.state);
    await pair.expectSettled(byIdentity, config);
  });

  test("of an object that does not exist is refused", async () => {
    await expect(core.resource("corner_pair").import({ id: "north" })).rejects.toThrow(ProviderErrors);
  });
});

describe("a list", () => {
  const region = ["object", { region: "string", names: "number" }];
  const list = async (names: number, limit: number, include_resource_object: boolean) => {
    const config = pack(region, { region: "north", names });
    const events = [];
    const stream = provider.wire.stream("ListResource", {
      type_name: "corner_pair",
      config,
      limit,
      include_resource_object,
    });
    for await (const event of stream) events.push(event);
    return events;
  };

  test("is streamed with names and identities", async () => {
    const events = await list(3, 100, false);
    expect(events.map((event) => event.display_name)).toEqual(["north/found-0", "north/found-1", "north/found-2"]);
    expect(events.every((event) => event.diagnostic.length === 0)).toBe(true);
    expect(events[0]?.resource_object ?? null).toBeNull();
  });

  test("contains the objects on request", async () => {
    const [event] = await list(1, 100, true);
    const { type } = core.resource("corner_pair").schema;
    expect(decode(type, event?.resource_object?.msgpack ?? new Uint8Array())).toMatchObject({ name: "found-0" });
  });

  test("ends at its limit", async () => {
    expect(await list(1_000, 5, false)).toHaveLength(5);
  });
});

describe("an action", () => {
  test("reports its progress, then its end", async () => {
    const config = pack(["object", { words: "string" }], { words: "hello" });
    const request = { action_type: "corner_shout", config, client_capabilities: capabilities };
    const events = [];
    for await (const event of provider.wire.stream("InvokeAction", request)) events.push(event);
    expect(events.map((event) => event.progress?.message ?? "done")).toEqual(["about to say hello", "done"]);
    expect(events.at(-1)?.completed?.diagnostics).toEqual([]);
  });
});

describe("a configuration", () => {
  test("is generated for an object, without computed values", async () => {
    const thing = core.resource("corner_thing");
    const made = await thing.create({ name: "one", size: 3 });
    const state = { msgpack: encode(thing.schema.type, made.state) };
    const { config, diagnostics } = await provider.wire.call("GenerateResourceConfig", {
      type_name: "corner_thing",
      state,
    });
    expect(diagnostics).toEqual([]);
    const written = decode(thing.schema.type, config?.msgpack ?? new Uint8Array());
    expect(written).toMatchObject({ name: "one", id: null, revision: null });
    await thing.expectSettled(made, written);
  });
});

describe("a function", () => {
  const call = (...words: string[]) =>
    provider.wire.call("CallFunction", { name: "label", arguments: words.map((word) => pack("string", word)) });

  test("returns its value", async () => {
    const { result, error } = await call("-", "a", "b");
    expect(error).toBeNull();
    expect(decode({ kind: "string" }, result?.msgpack ?? new Uint8Array())).toBe("a-b");
  });

  test("refuses an argument by its position", async () => {
    expect((await call("", "a")).error).toMatchObject({
      text: expect.stringContaining("must not be empty"),
      function_argument: "0",
    });
  });

  test("is listed for OpenTofu, which asks for functions alone", async () => {
    expect(Object.keys((await provider.wire.call("GetFunctions", {})).functions)).toEqual(["label"]);
  });
});

describe("values", () => {
  test("of any type keep their type", async () => {
    const value = new Dynamic(parseType(["object", { a: ["tuple", ["string", "bool"]] }]), { a: ["x", true] });
    const open = core.resource("corner_open");
    const made = await open.create({ value });
    expect(made.state["value"]).toEqual(value);
  });
});

describe("malformed requests", () => {
  const malformed: [string, Uint8Array][] = [
    ["a byte without meaning", Buffer.of(0xc1)],
    ["cut-off bytes", Buffer.of(0x83, 0xa1)],
    ["another type", Buffer.of(0x2a)],
    ["an endless nest", Buffer.alloc(100_000, 0x91)],
    ["a huge promised length", Buffer.of(0xdf, 0xff, 0xff, 0xff, 0xff)],
  ];

  test.each(malformed)("are answered: %s", async (_, msgpack) => {
    const request = { type_name: "corner_thing", config: { msgpack }, client_capabilities: capabilities };
    const { diagnostics } = await provider.wire.call("ValidateResourceConfig", request);
    expect(diagnostics.map(({ severity }) => severity)).toEqual(["ERROR"]);
  });

  test("about types that do not exist are answered", async () => {
    const request = { type_name: "corner_nonsense", config: pack("string", null), client_capabilities: capabilities };
    const { diagnostics } = await provider.wire.call("ValidateResourceConfig", request);
    expect(diagnostics).toMatchObject([{ severity: "ERROR", detail: expect.stringContaining("corner_nonsense") }]);
  });
});

import { describe, expect, it } from "vitest";
import { createServer, type ProviderServer } from "#framework";
import { encode } from "../../../harness/cty-codec.ts";
import { capabilities as clientCapabilities } from "../core.ts";
import {
  Cloud,
  cloud,
  defineDataSource,
  defineFunction,
  defineListResource,
  defineResource,
  machine,
} from "../machine.ts";

const zone = defineDataSource({ type: "cloud_zone", doc: "", attributes: {}, read: () => ({}) });
const one = defineFunction({
  name: "one",
  summary: "",
  doc: "",
  parameters: {},
  returns: machine.attributes.load.type,
  call: () => 1,
});

/** A provider that records which definitions are loaded. */
function provider() {
  const loaded: string[] = [];
  const loading =
    <D>(name: string, definition: D) =>
    async () => {
      loaded.push(name);
      return definition;
    };
  const other = defineResource({ ...machine, type: "cloud_other" });
  const definition = {
    ...cloud(new Cloud()),
    resources: { cloud_machine: loading("machine", machine), cloud_other: loading("other", other) },
    dataSources: { cloud_zone: loading("zone", zone) },
    functions: { one: loading("one", one) },
  };
  return { loaded, server: createServer(definition) };
}

const validate = (server: ProviderServer, typeName: string) =>
  server.validateResourceConfig({
    typeName,
    config: { msgpack: encode({ kind: "object", attributes: {} }, null) },
    clientCapabilities,
  });

describe("a definition", () => {
  it("is loaded once, by the first call on it", async () => {
    const { loaded, server } = provider();
    await server.validateProviderConfig({ config: { json: Buffer.from('{"token":null}') } });
    expect(loaded).toEqual([]);
    await Promise.all([validate(server, "cloud_machine"), validate(server, "cloud_machine")]);
    await validate(server, "cloud_machine");
    expect(loaded).toEqual(["machine"]);
    await server.callFunction({ name: "one", arguments: [] });
    expect(loaded).toEqual(["machine", "one"]);
  });

  it("is not loaded for its name", async () => {
    const { loaded, server } = provider();
    const { resources, dataSources, functions } = await server.getMetadata();
    expect({ resources, dataSources, functions }).toEqual({
      resources: ["cloud_machine", "cloud_other"],
      dataSources: ["cloud_zone"],
      functions: ["one"],
    });
    expect(loaded).toEqual([]);
  });

  it("is loaded for the schema, and for the calls that describe its kind", async () => {
    const { loaded, server } = provider();
    await server.getFunctions();
    expect(loaded).toEqual(["one"]);
    await server.getResourceIdentitySchemas();
    expect(loaded).toEqual(["one", "machine", "other"]);
    await server.getProviderSchema();
    expect(new Set(loaded)).toEqual(new Set(["machine", "other", "zone", "one"]));
  });

  it("that cannot be loaded is a bug, reported by every call on it and by no other", async () => {
    const broken = () => Promise.reject(new Error("no such file"));
    const resources = { cloud_machine: () => machine, cloud_broken: broken };
    const server = createServer({ ...cloud(new Cloud()), resources, functions: { broken } });
    for (let attempt = 0; attempt < 2; attempt++) {
      expect((await validate(server, "cloud_broken")).diagnostics).toMatchObject([
        { summary: "Bug in the provider", detail: expect.stringContaining("no such file") },
      ]);
    }
    expect((await validate(server, "cloud_machine")).diagnostics).toMatchObject([{ summary: "Bad zone" }]);
    expect((await server.getProviderSchema()).diagnostics).toMatchObject([{ summary: "Bug in the provider" }]);
    expect((await server.callFunction({ name: "broken", arguments: [] })).error?.text).toContain("no such file");
  });

  it.each(["cloud_absent", "constructor", "__proto__"])("that is not registered is refused: %s", async (type) => {
    const { diagnostics } = await validate(provider().server, type);
    expect(diagnostics).toMatchObject([{ summary: "Unknown resource" }]);
  });

  it("registered under another name than its own is a bug", async () => {
    const machines = defineListResource({ doc: "", attributes: {}, resource: machine, async *list() {} });
    const server = createServer({
      ...cloud(new Cloud()),
      resources: { cloud_server: () => machine },
      functions: { two: () => one },
      listResources: { cloud_machines: () => machines },
    });
    const { diagnostics } = await server.getProviderSchema();
    expect(diagnostics.map(({ detail }) => detail.split("\n")[0])).toEqual([
      "cloud_server: the definition is of cloud_machine",
      "two: the definition is of one",
      "cloud_machines: the definition is of cloud_machine",
      "list cloud_machine: there is no managed resource cloud_machine",
    ]);
  });
});

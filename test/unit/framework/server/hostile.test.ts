import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { createServer, type Diagnostic, type DynamicValue, type ProviderServer } from "#framework";
import { encode } from "../../../harness/cty-codec.ts";
import { objectType } from "../../../harness/schema.ts";
import { toValue } from "../../../harness/value.ts";
import { Core, capabilities as clientCapabilities } from "../core.ts";
import {
  Cloud,
  cloud,
  defineAction,
  defineDataSource,
  defineEphemeral,
  defineListResource,
  machine,
} from "../machine.ts";

const empty = { doc: "", attributes: {} };
const provider = {
  ...cloud(new Cloud()),
  dataSources: { cloud_zone: () => defineDataSource({ ...empty, type: "cloud_zone", read: () => ({}) }) },
  ephemerals: {
    cloud_ticket: () => defineEphemeral({ ...empty, type: "cloud_ticket", open: () => ({ result: {} }) }),
  },
  actions: { cloud_restart: () => defineAction({ ...empty, type: "cloud_restart", invoke: () => {} }) },
  listResources: { cloud_machine: () => defineListResource({ ...empty, resource: machine, async *list() {} }) },
};

/** Every call that takes bytes, with the same bytes. */
const calls: Record<string, (server: ProviderServer, bytes: Uint8Array) => Promise<Diagnostic[]>> = {};
const call = (
  name: string,
  ask: (server: ProviderServer, value: DynamicValue, bytes: Uint8Array) => Promise<{ diagnostics: Diagnostic[] }>,
) => {
  calls[name] = async (server, bytes) => (await ask(server, { msgpack: bytes }, bytes)).diagnostics;
  calls[`${name}, in JSON`] = async (server, bytes) => (await ask(server, { json: bytes }, bytes)).diagnostics;
};
const typeName = "cloud_machine";
const signal = new AbortController().signal;
call("validateProviderConfig", (server, config) => server.validateProviderConfig({ config }));
call("configureProvider", (server, config) =>
  server.configureProvider({ terraformVersion: "", config, clientCapabilities }),
);
call("validateResourceConfig", (server, config) =>
  server.validateResourceConfig({ typeName, config, clientCapabilities }),
);
call("upgradeResourceState", (server, _, json) => server.upgradeResourceState({ typeName, version: 0, raw: { json } }));
call("upgradeResourceIdentity", (server, _, json) =>
  server.upgradeResourceIdentity({ typeName, version: 0, raw: { json } }),
);
call("readResource", (server, currentState, bytes) =>
  server.readResource({ typeName, currentState, private: bytes, clientCapabilities }),
);
call("planResourceChange", (server, value, bytes) =>
  server.planResourceChange({
    typeName,
    priorState: value,
    proposedNewState: value,
    config: value,
    priorPrivate: bytes,
    plannedPrivate: bytes,
    clientCapabilities,
  }),
);
call("applyResourceChange", (server, value, bytes) =>
  server.applyResourceChange({
    typeName,
    priorState: value,
    plannedState: value,
    config: value,
    plannedPrivate: bytes,
  }),
);
call("importResourceState", (server, identity) =>
  server.importResourceState({ typeName, id: "", identity, clientCapabilities }),
);
call("moveResourceState", (server, _, json) =>
  server.moveResourceState({
    sourceProviderAddress: "",
    sourceTypeName: "",
    sourceSchemaVersion: 0,
    sourceState: { json },
    sourcePrivate: json,
    targetTypeName: typeName,
  }),
);
call("generateResourceConfig", (server, state) => server.generateResourceConfig({ typeName, state }));
call("readDataSource", (server, config) =>
  server.readDataSource({ typeName: "cloud_zone", config, clientCapabilities }),
);
call("openEphemeralResource", (server, config) =>
  server.openEphemeralResource({ typeName: "cloud_ticket", config, clientCapabilities }),
);
call("planAction", (server, config) => server.planAction({ typeName: "cloud_restart", config, clientCapabilities }));
call("invokeAction", async (server, config) => {
  const diagnostics: Diagnostic[] = [];
  for await (const event of server.invokeAction({ typeName: "cloud_restart", config, clientCapabilities }, signal)) {
    if ("completed" in event) diagnostics.push(...event.completed);
  }
  return { diagnostics };
});
call("listResource", async (server, config) => {
  const diagnostics: Diagnostic[] = [];
  const request = { typeName, config, includeResourceObject: true, limit: 1 };
  for await (const event of server.listResource(request, signal)) diagnostics.push(...event.diagnostics);
  return { diagnostics };
});

vi.setConfig({ testTimeout: 60_000 });

describe("malformed bytes", () => {
  it.each(Object.entries(calls))("get a response from %s", async (_, ask) => {
    const core = await Core.start(provider);
    const of = objectType(core.body(typeName));
    const good = encode(
      of,
      toValue(of, { name: "web", size: "8G", disks: { scsi0: { size: "1G" } }, password: "hunter22" }),
    );
    const bytes = fc.oneof(
      fc.uint8Array({ maxLength: 40 }),
      fc.nat(good.length).map((length) => good.slice(0, length)),
      fc.tuple(fc.nat(good.length - 1), fc.nat(255)).map(([place, byte]) => good.with(place, byte)),
      fc.json().map((text) => Buffer.from(text)),
      fc.constantFrom(
        new Uint8Array(5_000).fill(0x91),
        Buffer.from("[".repeat(5_000)),
        Buffer.from('{"__proto__":{"polluted":1}}'),
      ),
    );
    await fc.assert(
      fc.asyncProperty(bytes, async (input) => {
        const diagnostics = await ask(core.server, input);
        expect(JSON.stringify(diagnostics)).not.toContain("hunter22");
      }),
      { numRuns: 60 },
    );
    expect(Object.prototype).not.toHaveProperty("polluted");
  });

  it("never crash functions", async () => {
    const server = createServer(provider);
    expect(await server.callFunction({ name: "x", arguments: [{ msgpack: Uint8Array.of(0xc1) }] })).toHaveProperty(
      "error",
    );
  });
});

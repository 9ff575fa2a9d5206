import { describe, expect, test } from "vitest";
import type { Diagnostic, ProviderServer } from "#framework";
import { providerMethods } from "../../../../src/plugin/rpc/terraform.ts";
import { silent } from "../grpc/connection.ts";
import { canonical, oracle } from "../protobuf/oracle.ts";
import { stubServer } from "../stub-server.ts";

const bytes = (text: string) => Buffer.from(text);
const value = (text: string) => ({ msgpack: bytes(text) });
const identity = (text: string) => ({ identityData: value(text) });
/** As Terraform reads it: the unused form is empty. */
const sent = (text: string) => ({ msgpack: bytes(text), json: bytes("") });
const sentIdentity = (text: string) => ({ identityData: sent(text) });

const allCapabilities = {
  deferralAllowed: true,
  writeOnlyAttributesAllowed: true,
  storePlannedPrivate: true,
  computedBlocksAllowed: true,
};
const noCapabilities = {
  deferralAllowed: false,
  writeOnlyAttributesAllowed: false,
  storePlannedPrivate: false,
  computedBlocksAllowed: false,
};

const warning: Diagnostic = { severity: "warning", summary: "Careful", detail: "It bites." };
const error: Diagnostic = {
  severity: "error",
  summary: "No",
  detail: "Not so.",
  path: [{ attribute: "disks" }, { key: "scsi0" }, { index: 2 }],
};
const diagnostics = [warning, error];
const wireDiagnostics = [
  { severity: 2, summary: "Careful", detail: "It bites." },
  {
    severity: 1,
    summary: "No",
    detail: "Not so.",
    attribute: { steps: [{ attributeName: "disks" }, { elementKeyString: "scsi0" }, { elementKeyInt: 2 }] },
  },
];

/** An RPC, Terraform's request, the framework's request, its response, and Terraform's response. */
type Row = [rpc: string, request: object, asked: object | undefined, reply: object | string, response: object];

const validation = (rpc: string): Row => [
  rpc,
  { typeName: "stub_thing", config: value("c") },
  { typeName: "stub_thing", config: value("c") },
  { diagnostics },
  { diagnostics: wireDiagnostics },
];

const rows: Row[] = [
  [
    "ValidateProviderConfig",
    { config: value("c") },
    { config: value("c") },
    { diagnostics },
    { diagnostics: wireDiagnostics },
  ],
  [
    "ConfigureProvider",
    { terraformVersion: "1.11.4", config: value("c"), clientCapabilities: allCapabilities },
    { terraformVersion: "1.11.4", config: value("c"), clientCapabilities: allCapabilities },
    { diagnostics },
    { diagnostics: wireDiagnostics },
  ],
  [
    "ValidateResourceConfig",
    { typeName: "stub_thing", config: value("c"), clientCapabilities: { writeOnlyAttributesAllowed: true } },
    {
      typeName: "stub_thing",
      config: value("c"),
      clientCapabilities: { ...noCapabilities, writeOnlyAttributesAllowed: true },
    },
    { diagnostics },
    { diagnostics: wireDiagnostics },
  ],
  validation("ValidateDataResourceConfig"),
  validation("ValidateEphemeralResourceConfig"),
  validation("ValidateListResourceConfig"),
  validation("ValidateActionConfig"),
  [
    "UpgradeResourceState",
    { typeName: "stub_thing", version: 2, rawState: { json: bytes("{}") } },
    { typeName: "stub_thing", version: 2, raw: { json: bytes("{}") } },
    { diagnostics, upgradedState: value("u") },
    { diagnostics: wireDiagnostics, upgradedState: sent("u") },
  ],
  [
    "UpgradeResourceState",
    { typeName: "stub_thing", rawState: { flatmap: { id: "1" } } },
    { typeName: "stub_thing", version: 0, raw: { flatmap: { id: "1" } } },
    { diagnostics: [] },
    { diagnostics: [] },
  ],
  [
    "UpgradeResourceIdentity",
    { typeName: "stub_thing", version: 1, rawIdentity: { json: bytes("{}") } },
    { typeName: "stub_thing", version: 1, raw: { json: bytes("{}") } },
    { diagnostics, upgradedIdentity: value("i") },
    { diagnostics: wireDiagnostics, upgradedIdentity: sentIdentity("i") },
  ],
  [
    "ReadResource",
    {
      typeName: "stub_thing",
      currentState: { json: bytes("{}") },
      private: bytes("p"),
      providerMeta: value("ignored"),
      clientCapabilities: allCapabilities,
      currentIdentity: identity("i"),
    },
    {
      typeName: "stub_thing",
      currentState: { json: bytes("{}") },
      private: bytes("p"),
      clientCapabilities: allCapabilities,
      currentIdentity: value("i"),
    },
    { diagnostics, newState: value("n"), private: bytes("q"), deferred: "absent_prereq", newIdentity: value("j") },
    {
      diagnostics: wireDiagnostics,
      newState: sent("n"),
      private: bytes("q"),
      deferred: { reason: 3 },
      newIdentity: sentIdentity("j"),
    },
  ],
  [
    "ReadResource",
    { typeName: "stub_thing" },
    { typeName: "stub_thing", currentState: {}, private: bytes(""), clientCapabilities: noCapabilities },
    { diagnostics: [], private: bytes("") },
    { diagnostics: [], private: bytes("") },
  ],
  [
    "PlanResourceChange",
    {
      typeName: "stub_thing",
      priorState: value("s"),
      proposedNewState: value("n"),
      config: value("c"),
      priorPrivate: bytes("p"),
      clientCapabilities: allCapabilities,
      priorIdentity: identity("i"),
      plannedPrivate: bytes("q"),
    },
    {
      typeName: "stub_thing",
      priorState: value("s"),
      proposedNewState: value("n"),
      config: value("c"),
      priorPrivate: bytes("p"),
      plannedPrivate: bytes("q"),
      clientCapabilities: allCapabilities,
      priorIdentity: value("i"),
    },
    {
      diagnostics,
      plannedState: value("t"),
      requiresReplace: [[{ attribute: "vmid" }], [{ attribute: "clone" }, { attribute: "template" }]],
      plannedPrivate: bytes("r"),
      deferred: "resource_config_unknown",
      plannedIdentity: value("j"),
    },
    {
      diagnostics: wireDiagnostics,
      plannedState: sent("t"),
      requiresReplace: [
        { steps: [{ attributeName: "vmid" }] },
        { steps: [{ attributeName: "clone" }, { attributeName: "template" }] },
      ],
      plannedPrivate: bytes("r"),
      legacyTypeSystem: false,
      deferred: { reason: 1 },
      plannedIdentity: sentIdentity("j"),
    },
  ],
  [
    "ApplyResourceChange",
    {
      typeName: "stub_thing",
      priorState: value("s"),
      plannedState: value("t"),
      config: value("c"),
      plannedPrivate: bytes("p"),
      plannedIdentity: identity("i"),
    },
    {
      typeName: "stub_thing",
      priorState: value("s"),
      plannedState: value("t"),
      config: value("c"),
      plannedPrivate: bytes("p"),
      plannedIdentity: value("i"),
    },
    { diagnostics, newState: value("n"), private: bytes("q"), newIdentity: value("j") },
    {
      diagnostics: wireDiagnostics,
      newState: sent("n"),
      private: bytes("q"),
      legacyTypeSystem: false,
      newIdentity: sentIdentity("j"),
    },
  ],
  [
    "ImportResourceState",
    { typeName: "stub_thing", id: "100", identity: identity("i"), clientCapabilities: allCapabilities },
    { typeName: "stub_thing", id: "100", identity: value("i"), clientCapabilities: allCapabilities },
    {
      diagnostics,
      imported: [
        { typeName: "stub_thing", state: value("s"), private: bytes("p"), identity: value("i") },
        { typeName: "stub_other", state: value("o"), private: bytes("") },
      ],
      deferred: "provider_config_unknown",
    },
    {
      diagnostics: wireDiagnostics,
      importedResources: [
        {
          typeName: "stub_thing",
          state: sent("s"),
          private: bytes("p"),
          identity: sentIdentity("i"),
        },
        { typeName: "stub_other", state: sent("o"), private: bytes("") },
      ],
      deferred: { reason: 2 },
    },
  ],
  [
    "MoveResourceState",
    {
      sourceProviderAddress: "registry.terraform.io/bpg/proxmox",
      sourceTypeName: "proxmox_vm",
      sourceSchemaVersion: 7,
      sourceState: { json: bytes("{}") },
      targetTypeName: "stub_thing",
      sourcePrivate: bytes("p"),
      sourceIdentity: { json: bytes("[]") },
    },
    {
      sourceProviderAddress: "registry.terraform.io/bpg/proxmox",
      sourceTypeName: "proxmox_vm",
      sourceSchemaVersion: 7,
      sourceState: { json: bytes("{}") },
      targetTypeName: "stub_thing",
      sourcePrivate: bytes("p"),
      sourceIdentity: { json: bytes("[]") },
    },
    { diagnostics, targetState: value("t"), targetPrivate: bytes("q"), targetIdentity: value("i") },
    {
      diagnostics: wireDiagnostics,
      targetState: sent("t"),
      targetPrivate: bytes("q"),
      targetIdentity: sentIdentity("i"),
    },
  ],
  [
    "GenerateResourceConfig",
    { typeName: "stub_thing", state: value("s") },
    { typeName: "stub_thing", state: value("s") },
    { diagnostics, config: value("c") },
    { diagnostics: wireDiagnostics, config: sent("c") },
  ],
  [
    "ReadDataSource",
    { typeName: "stub_lookup", config: value("c"), clientCapabilities: allCapabilities },
    { typeName: "stub_lookup", config: value("c"), clientCapabilities: allCapabilities },
    { diagnostics, state: value("s"), deferred: "absent_prereq" },
    { diagnostics: wireDiagnostics, state: sent("s"), deferred: { reason: 3 } },
  ],
  [
    "CallFunction",
    { name: "double", arguments: [value("a"), value("b")] },
    { name: "double", arguments: [value("a"), value("b")] },
    { result: value("r") },
    { result: sent("r") },
  ],
  [
    "CallFunction",
    { name: "double" },
    { name: "double", arguments: [] },
    { error: { text: "too few", argument: 0 } },
    { error: { text: "too few", functionArgument: 0 } },
  ],
  [
    "CallFunction",
    { name: "double" },
    { name: "double", arguments: [] },
    { error: { text: "no such thing" } },
    { error: { text: "no such thing" } },
  ],
  [
    "OpenEphemeralResource",
    { typeName: "stub_secret", config: value("c"), clientCapabilities: allCapabilities },
    { typeName: "stub_secret", config: value("c"), clientCapabilities: allCapabilities },
    {
      diagnostics,
      result: value("r"),
      renewAt: new Date("2026-01-02T03:04:05.678Z"),
      private: bytes(""),
      deferred: "absent_prereq",
    },
    {
      diagnostics: wireDiagnostics,
      result: sent("r"),
      renewAt: { seconds: 1767323045, nanos: 678_000_000 },
      private: bytes(""),
      deferred: { reason: 3 },
    },
  ],
  [
    "RenewEphemeralResource",
    { typeName: "stub_secret", private: bytes("p") },
    { typeName: "stub_secret", private: bytes("p") },
    { diagnostics, renewAt: new Date("1969-12-31T23:59:59.500Z"), private: bytes("q") },
    { diagnostics: wireDiagnostics, renewAt: { seconds: -1, nanos: 500_000_000 }, private: bytes("q") },
  ],
  [
    "CloseEphemeralResource",
    { typeName: "stub_secret" },
    { typeName: "stub_secret", private: bytes("") },
    { diagnostics },
    { diagnostics: wireDiagnostics },
  ],
  [
    "PlanAction",
    { actionType: "stub_reboot", config: value("c"), clientCapabilities: allCapabilities },
    { typeName: "stub_reboot", config: value("c"), clientCapabilities: allCapabilities },
    { diagnostics, deferred: "provider_config_unknown" },
    { diagnostics: wireDiagnostics, deferred: { reason: 2 } },
  ],
  ["StopProvider", {}, undefined, "too late", { Error: "too late" }],
];

describe("each RPC", () => {
  test.each(rows)("%s calls the framework and answers Terraform", async (rpc, request, asked, reply, response) => {
    const name = rpc === "StopProvider" ? "stop" : methodName(rpc);
    const requests: unknown[] = [];
    const method = async (seen: unknown) => {
      requests.push(seen);
      return reply;
    };
    const [answer, ...more] = await exchange(rpc, "Response", request, { [name]: method });
    expect(canonical(requests)).toEqual(canonical([asked]));
    expect(answer).toEqual(canonical(response));
    expect(more).toEqual([]);
  });

  test("ListResource sends an event for each object found", async () => {
    const requests: unknown[] = [];
    const answers = await exchange(
      "ListResource",
      "Event",
      { typeName: "stub_thing", config: value("c"), includeResourceObject: true, limit: 5 },
      {
        async *listResource(request) {
          requests.push(request);
          yield { identity: value("i"), displayName: "one", resourceObject: value("o"), diagnostics: [warning] };
          yield { displayName: "two", diagnostics: [] };
        },
      },
    );
    expect(canonical(requests)).toEqual(
      canonical([{ typeName: "stub_thing", config: value("c"), includeResourceObject: true, limit: 5 }]),
    );
    expect(answers).toEqual(
      [
        {
          identity: sentIdentity("i"),
          displayName: "one",
          resourceObject: sent("o"),
          diagnostic: [wireDiagnostics[0]],
        },
        { displayName: "two", diagnostic: [] },
      ].map(canonical),
    );
  });

  test("InvokeAction sends progress, then the result", async () => {
    const answers = await exchange(
      "InvokeAction",
      "Event",
      { actionType: "stub_reboot" },
      {
        async *invokeAction() {
          yield { progress: "half way" };
          yield { completed: diagnostics };
        },
      },
    );
    expect(answers).toEqual([
      { progress: { message: "half way" } },
      { completed: { diagnostics: canonical(wireDiagnostics) } },
    ]);
  });
});

function methodName(rpc: string): string {
  return `${rpc.charAt(0).toLowerCase()}${rpc.slice(1)}`;
}

async function exchange(
  rpc: string,
  kind: "Response" | "Event",
  request: object,
  replaced: Partial<ProviderServer>,
): Promise<unknown[]> {
  const server = stubServer(replaced);
  const methods = new Map(providerMethods(async () => server, silent));
  const handler = methods.get(`/tfplugin6.Provider/${rpc}`);
  if (!handler) throw new Error(`${rpc} has no handler`);
  const answers: unknown[] = [];
  for await (const answer of handler(
    oracle(`tfplugin6.${rpc}.Request`).encode(request),
    new AbortController().signal,
  )) {
    answers.push(canonical(oracle(`tfplugin6.${rpc}.${kind}`).decode(answer)));
  }
  return answers;
}

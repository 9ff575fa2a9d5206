import { encodeValue } from "../codec/dynamic-value.ts";
import { AlreadyReported, Failure } from "../failure.ts";
import type {
  ImportRequest,
  ImportResponse,
  ProviderServer,
  ReadResourceRequest,
  ReadResourceResponse,
} from "../server.ts";
import { parseNumber } from "../values/number.ts";
import { type Call, causes } from "./call.ts";
import { Deadline } from "./deadline.ts";
import type { Id, Managed } from "./managed.ts";
import { observe } from "./observe.ts";
import { checkOrigin } from "./origin.ts";
import type { PrivateState } from "./private-state.ts";
import type { Registry } from "./registry.ts";

/** Reads and imports existing objects. */
export function resourceReadCalls(
  resources: Registry<Managed>,
): Pick<ProviderServer, "readResource" | "importResourceState"> {
  return {
    readResource: (request) =>
      resources.answer<Omit<ReadResourceResponse, "diagnostics">>(
        { rpc: "ReadResource", operation: "read", type: request.typeName },
        // After any failure, the known state of the object is not lost.
        unchanged(request),
        (call, managed) =>
          refresh(call, managed, request).catch((error: unknown) => {
            if (causes(error).some((cause) => cause instanceof AlreadyReported)) return unchanged(request);
            throw error;
          }),
      ),

    importResourceState: (request) =>
      resources.answer<Omit<ImportResponse, "diagnostics">>(
        { rpc: "ImportResourceState", operation: "import", type: request.typeName },
        { imported: [] },
        (call, managed) => adopt(call, managed, request),
      ),
  };
}

const unchanged = ({ currentState, currentIdentity, private: bytes }: ReadResourceRequest) => ({
  newState: currentState,
  private: bytes,
  ...(currentIdentity ? { newIdentity: currentIdentity } : {}),
});

async function refresh(
  call: Call,
  managed: Managed,
  request: ReadResourceRequest,
): Promise<Omit<ReadResourceResponse, "diagnostics">> {
  const { root, attributes } = managed;
  const state = call.decode(root, request.currentState);
  if (state === null) return unchanged(request);
  if (call.runtime.isConfigurationUnknown) {
    const deferred = { deferred: "provider_config_unknown" } as const;
    return { ...unchanged(request), ...(request.clientCapabilities.deferralAllowed ? deferred : {}) };
  }
  const identity = managed.identityIn(state);
  const privateState = managed.privateState(request.private);
  const { imported } = privateState;
  privateState.noteLoss();
  call.begin({ id: managed.identityView(identity) }, Deadline.of(attributes, state, "read", call.runtime.signal));
  const now = await observe(
    call,
    managed,
    imported ? "import" : "refresh",
    identity,
    imported ? null : state,
    privateState,
  );
  if (call.report.failed) return unchanged(request);
  await checkOrigin(call, privateState, now !== null);
  privateState.imported = false;
  return {
    newState: encodeValue(root, now),
    private: privateState.encode(),
    ...(managed.hasIdentity && now !== null
      ? { newIdentity: encodeValue(managed.identityType, managed.identityIn(now)) }
      : {}),
  };
}

async function adopt(
  call: Call,
  managed: Managed,
  request: ImportRequest,
): Promise<Omit<ImportResponse, "diagnostics">> {
  if (call.runtime.isConfigurationUnknown && request.clientCapabilities.deferralAllowed) {
    return { imported: [], deferred: "provider_config_unknown" };
  }
  const privateState = managed.privateState(new Uint8Array());
  const identity = request.identity
    ? call.decode(managed.identityType, request.identity)
    : managed.identityFrom(await identify(call, managed, request.id, privateState));
  privateState.imported = true;
  return {
    imported: [
      {
        typeName: managed.type,
        state: encodeValue(managed.root, managed.stateOf(identity)),
        private: privateState.encode(),
        ...(managed.hasIdentity ? { identity: encodeValue(managed.identityType, identity) } : {}),
      },
    ],
  };
}

async function identify(call: Call, managed: Managed, id: string, privateState: PrivateState): Promise<Id> {
  const { definition } = managed;
  if (!definition.import) return splitId(managed, id);
  return definition.import({ ...call.context, api: call.runtime.requireApi(), id, privateState: privateState.value });
}

/** The identity's values, joined by slashes in the order of the definition. */
function splitId({ identity, attributes, type }: Managed, id: string): Id {
  const names = identity.attributes;
  if (names.length === 0) throw new Failure("Unable to import", `A ${type} cannot be imported.`);
  const parts = names.length === 1 ? [id] : id.split("/");
  const form = names.map((name) => `<${name}>`).join("/");
  if (parts.length !== names.length || parts.includes("")) {
    throw new Failure("Invalid import ID", `The ID of a ${type} has the form ${form}.`);
  }
  const values = names.map((name, index) => {
    const part = parts[index] ?? "";
    const kind = attributes[name]?.type.shape.kind;
    const value = kind === "number" ? parseNumber(part) : kind === "bool" ? part === "true" : part;
    if (value === null) throw new Failure("Invalid import ID", `In ${form}, ${name} must be a number.`);
    return [name, value] as const;
  });
  return Object.fromEntries(values);
}

import { encodeValue } from "../codec/dynamic-value.ts";
import { fromJson } from "../codec/json.ts";
import { parseJson } from "../codec/parse-json.ts";
import type { Awaitable } from "../define/context.ts";
import { Failure } from "../failure.ts";
import { takeObject } from "../schema/take.ts";
import type { DynamicValue, MoveRequest, MoveResponse, ProviderServer, RawState } from "../server.ts";
import type { Json } from "../values/json.ts";
import { isNull } from "../values/value.ts";
import type { Managed } from "./managed.ts";
import type { Registry } from "./registry.ts";

type JsonObject = { readonly [name: string]: Json };
type Upgrades = { readonly [version: number]: (stored: JsonObject) => Awaitable<object> };

/** Stored states that are older than the schema, or another resource's. None of this waits for the API. */
export function resourceStateCalls(
  resources: Registry<Managed>,
): Pick<ProviderServer, "upgradeResourceState" | "upgradeResourceIdentity" | "moveResourceState"> {
  return {
    upgradeResourceState: ({ typeName: type, version, raw }) =>
      resources.answer<{ upgradedState?: DynamicValue }>(
        { rpc: "UpgradeResourceState", operation: "upgrade", type },
        {},
        async ({ runtime: { api } }, { root, definition }) => {
          // Once Terraform has our answer: it takes a while to come back for the object itself.
          if (api !== undefined) setImmediate(() => definition.foresee?.(api));
          const state = await upgrade(readRaw(raw), version, definition.version ?? 0, definition.upgrades ?? {});
          return { upgradedState: encodeValue(root, fromJson(root, state)) };
        },
      ),

    upgradeResourceIdentity: ({ typeName: type, version, raw }) =>
      resources.answer<{ upgradedIdentity?: DynamicValue }>(
        { rpc: "UpgradeResourceIdentity", operation: "upgrade", type },
        {},
        async (_call, { identity, identityType }) => {
          const upgraded = await upgrade(readRaw(raw), version, identity.version ?? 0, identity.upgrades ?? {});
          return { upgradedIdentity: encodeValue(identityType, fromJson(identityType, upgraded)) };
        },
      ),

    moveResourceState: (request) => {
      const subject = { rpc: "MoveResourceState", operation: "move", type: request.targetTypeName } as const;
      return resources.answer<Omit<MoveResponse, "diagnostics">>(
        subject,
        { targetPrivate: new Uint8Array() },
        async (call, managed) => {
          const rule = moveRule(managed, request);
          const privateState = managed.privateState(new Uint8Array());
          const moved = await rule.move({
            ...call.context,
            state: readRaw(request.sourceState),
            version: request.sourceSchemaVersion,
            privateState: privateState.value,
          });
          const state = takeObject(managed.attributes, moved, "partial");
          const identity = managed.identityIn(state);
          const known =
            managed.hasIdentity && managed.identity.attributes.every((name) => !isNull(identity.get(name) ?? null));
          return {
            targetState: encodeValue(managed.root, state),
            targetPrivate: privateState.encode(),
            ...(known ? { targetIdentity: encodeValue(managed.identityType, identity) } : {}),
          };
        },
      );
    },
  };
}

function readRaw({ json, flatmap }: RawState): JsonObject {
  if (json === undefined || json.length === 0) {
    const age = flatmap === undefined ? "It is empty." : "It was written by a Terraform older than 0.12.";
    throw new Failure("Unable to read the stored state", age);
  }
  const state = parseJson(json);
  if (typeof state !== "object" || state === null || Array.isArray(state)) {
    throw new Failure("Unable to read the stored state", "It is not an object.");
  }
  return state as JsonObject;
}

/** One step for each version between the stored one and ours. */
async function upgrade(stored: JsonObject, from: number, to: number, upgrades: Upgrades): Promise<JsonObject> {
  if (from > to) {
    const detail = `It has version ${from}, and this version of the provider knows none above ${to}. Use the newer one.`;
    throw new Failure("The stored state is newer than the provider", detail);
  }
  let state = stored;
  for (let version = from; version < to; version++) {
    const step = upgrades[version];
    if (step === undefined) {
      throw new Failure(
        "Unable to upgrade the stored state",
        `There is no way from version ${version} to ${version + 1}.`,
      );
    }
    state = (await step(state)) as JsonObject;
  }
  return state;
}

function moveRule(
  { type, definition: { moves = [] } }: Managed,
  { sourceTypeName, sourceProviderAddress }: MoveRequest,
) {
  // Registries do not tell upper case from lower: `Telmate/proxmox` is `telmate/proxmox`.
  const address = `/${sourceProviderAddress}`.toLowerCase();
  const rule = moves.find(
    ({ provider, type: source }) => source === sourceTypeName && address.endsWith(`/${provider.toLowerCase()}`),
  );
  if (rule) return rule;
  const sources = moves.map(({ provider, type: source }) => `${source} (${provider})`).join(", ") || "nothing";
  throw new Failure(
    "Unable to move the resource",
    `${sourceTypeName} of ${sourceProviderAddress} cannot become ${type}; what can is: ${sources}.`,
  );
}

import { encodeValue } from "../codec/dynamic-value.ts";
import { fromJson } from "../codec/json.ts";
import { parseJson } from "../codec/parse-json.ts";
import type { Awaitable } from "../define/context.ts";
import type { MoveDefinition } from "../define/resource-definition.ts";
import { Failure } from "../failure.ts";
import type { Attributes } from "../schema/attribute.ts";
import { fromObjectView } from "../schema/from-view.ts";
import { toObjectView } from "../schema/to-view.ts";
import type { DynamicValue, MoveRequest, MoveResponse, ProviderServer, RawState } from "../server.ts";
import type { Json } from "../values/json.ts";
import { isNull } from "../values/value.ts";
import type { Managed } from "./managed.ts";
import type { Registry } from "./registry.ts";

type JsonObject = { readonly [name: string]: Json };
type Rule = MoveDefinition<Attributes, object>;
type Upgrades = { readonly [version: number]: (stored: JsonObject) => Awaitable<object> };

/**
 * Upgrades stored states that are older than the schema, and moves those of other resources. None of this waits for the
 * API.
 */
export function resourceStateCalls(
  resources: Registry<Managed>,
): Pick<ProviderServer, "upgradeResourceState" | "upgradeResourceIdentity" | "moveResourceState"> {
  return {
    upgradeResourceState: ({ typeName: type, version, raw }) =>
      resources.answer<{ upgradedState?: DynamicValue }>(
        { rpc: "UpgradeResourceState", operation: "upgrade", type },
        {},
        async ({ runtime: { api } }, managed) => {
          const { root, definition } = managed;
          // After the response: Terraform takes a while until it requests the object itself.
          if (api !== undefined) setImmediate(() => definition.prefetch?.(api));
          const stored = readRaw(raw);
          refuseForeign(managed, stored);
          const state = await upgrade(stored, version, definition.version ?? 0, definition.upgrades ?? {});
          const value = fromJson(root, state);
          if (api !== undefined) definition.inState?.(api, toObjectView(managed.attributes, value, "state"));
          return { upgradedState: encodeValue(root, value) };
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
          const rule = moveRule(managed, request, call.runtime.address);
          const privateState = managed.privateState(new Uint8Array());
          const moved = await rule.move({
            ...call.context,
            state: readRaw(request.sourceState),
            version: request.sourceSchemaVersion,
            privateState: privateState.value,
          });
          const state = fromObjectView(managed.attributes, moved, "partial");
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

/** One step for each version between the stored one and the current one. */
async function upgrade(stored: JsonObject, from: number, to: number, upgrades: Upgrades): Promise<JsonObject> {
  if (from > to) {
    const detail = `It has version ${from}; this version of the provider supports versions up to ${to}. Use a newer provider.`;
    throw new Failure("The stored state is newer than the provider", detail);
  }
  let state = stored;
  for (let version = from; version < to; version++) {
    const step = upgrades[version];
    if (step === undefined) {
      throw new Failure(
        "Unable to upgrade the stored state",
        `The provider cannot upgrade version ${version} to ${version + 1}.`,
      );
    }
    state = (await step(state)) as JsonObject;
  }
  return state;
}

/*
 * When one instance of a resource is moved, Terraform makes the target's provider the provider of the whole resource
 * (internal/refactoring/cross_provider_move.go, `SetResourceInstanceCurrent`). The instances that follow in the same
 * plan then seem to belong to this provider. The two functions below recognise them.
 */

/** The rule for a request; if the request names this provider as the source, only the type decides. */
function moveRule(
  { type, definition: { moves = [] } }: Managed,
  { sourceTypeName, sourceProviderAddress }: MoveRequest,
  own: string | undefined,
): Rule {
  // Registries ignore case: `Namespace/name` is `namespace/name`.
  const address = `/${sourceProviderAddress}`.toLowerCase();
  const isFrom = (provider: string) => address.endsWith(`/${provider.toLowerCase()}`);
  const candidates = moves.filter(({ type: source }) => source === sourceTypeName);
  const rule = candidates.find(({ provider }) => isFrom(provider));
  if (rule) return rule;
  const [only, ...others] = candidates;
  if (only && others.length === 0 && own !== undefined && isFrom(own.split("/").slice(-2).join("/"))) return only;
  const sources = moves.map(({ provider, type: source }) => `${source} (${provider})`).join(", ") || "nothing";
  throw new Failure(
    "Unable to move the resource",
    `${sourceTypeName} of ${sourceProviderAddress} cannot become ${type}. Supported sources: ${sources}.`,
  );
}

/**
 * Where another provider has a type of the same name, Terraform takes such an instance for one of this provider,
 * requests no move, and removes every attribute that this schema lacks before it requests an upgrade: the identity of
 * the object is lost.
 */
function refuseForeign({ type, identity, definition: { moves = [] } }: Managed, stored: JsonObject): void {
  const isOurs = identity.attributes.some((name) => stored[name] !== undefined && stored[name] !== null);
  const origin = moves.find((rule) => rule.type === type);
  if (isOurs || origin === undefined) return;
  throw new Failure(
    "State of another provider",
    `The state was written by ${origin.provider}, whose type is also called ${type}. Terraform can move such a resource only as a whole, not instance by instance. Declare a resource with the same \`count\` or \`for_each\` under a new name, move to it without an index, and apply; its instances can be moved on afterwards:\n\nmoved {\n  from = ${type}.OLD\n  to   = ${type}.NEW\n}`,
  );
}

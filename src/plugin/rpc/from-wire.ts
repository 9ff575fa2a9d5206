import type { ClientCapabilities, DynamicValue, RawState } from "#framework";
import type * as wire from "../gen/tfplugin6.ts";

/** A value that was not sent has neither form. */
export function dynamicValue(value: wire.DynamicValue | undefined): DynamicValue {
  if (value && value.msgpack.length > 0) return { msgpack: value.msgpack };
  if (value && value.json.length > 0) return { json: value.json };
  return {};
}

export function identity(data: wire.ResourceIdentityData | undefined): DynamicValue | undefined {
  return data && dynamicValue(data.identityData);
}

export function rawState(state: wire.RawState | undefined): RawState {
  if (state && state.json.length > 0) return { json: state.json };
  if (state && Object.keys(state.flatmap).length > 0) return { flatmap: state.flatmap };
  return {};
}

export function clientCapabilities(capabilities: wire.ClientCapabilities | undefined): ClientCapabilities {
  return {
    deferralAllowed: capabilities?.deferralAllowed ?? false,
    writeOnlyAttributesAllowed: capabilities?.writeOnlyAttributesAllowed ?? false,
    storePlannedPrivate: capabilities?.storePlannedPrivate ?? false,
    computedBlocksAllowed: capabilities?.computedBlocksAllowed ?? false,
  };
}

/** Only the properties that are set: in a framework request a property is present or absent, never undefined. */
export function present<T extends object>(properties: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(properties).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>;
  };
}

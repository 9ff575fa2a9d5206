import { encodeValue } from "../codec/dynamic-value.ts";
import { toObjectView } from "../schema/to-view.ts";
import type { OpenEphemeralResponse, ProviderServer } from "../server.ts";
import type { Call } from "./call.ts";
import { complete } from "./found.ts";
import { PrivateState } from "./private-state.ts";
import { entryOf, Registry } from "./registry.ts";
import type { Runtime } from "./runtime.ts";
import { validateCall } from "./validate-config.ts";

type EphemeralCalls =
  | "validateEphemeralResourceConfig"
  | "openEphemeralResource"
  | "renewEphemeralResource"
  | "closeEphemeralResource";

/** The calls for ephemeral resources. */
export function ephemeralCalls(runtime: Runtime): Pick<ProviderServer, EphemeralCalls> {
  const ephemerals = Registry.of(runtime, "ephemeral resource", runtime.provider.ephemerals, entryOf);
  const context = (call: Call, { value }: PrivateState) => ({
    ...call.context,
    api: runtime.requireApi(),
    privateState: value,
  });
  return {
    validateEphemeralResourceConfig: validateCall(ephemerals, "ValidateEphemeralResourceConfig"),

    openEphemeralResource: ({ typeName: type, config: sent, clientCapabilities }) =>
      ephemerals.answer<Omit<OpenEphemeralResponse, "diagnostics">>(
        { rpc: "OpenEphemeralResource", operation: "open", type },
        {},
        async (call, { definition, root }) => {
          const { attributes } = definition;
          const config = call.decode(root, sent);
          if (runtime.isConfigurationUnknown && clientCapabilities.deferralAllowed) {
            return {
              result: encodeValue(root, complete(attributes, config, null)),
              deferred: "provider_config_unknown",
            };
          }
          const privateState = new PrivateState(new Uint8Array(), definition.privateState);
          const { result, renewAt } = await definition.open({
            ...context(call, privateState),
            config: toObjectView(attributes, config, "desired"),
          });
          return {
            result: encodeValue(root, complete(attributes, config, result)),
            private: privateState.encode(),
            ...(renewAt ? { renewAt } : {}),
          };
        },
      ),

    renewEphemeralResource: ({ typeName: type, private: bytes }) =>
      ephemerals.answer<{ renewAt?: Date; private?: Uint8Array }>(
        { rpc: "RenewEphemeralResource", operation: "renew", type },
        { private: bytes },
        async (call, { definition }) => {
          const privateState = new PrivateState(bytes, definition.privateState);
          const { renewAt } = (await definition.renew?.(context(call, privateState))) ?? {};
          return { private: privateState.encode(), ...(renewAt ? { renewAt } : {}) };
        },
      ),

    closeEphemeralResource: ({ typeName: type, private: bytes }) =>
      ephemerals.answer(
        { rpc: "CloseEphemeralResource", operation: "close", type },
        {},
        async (call, { definition }) => {
          await definition.close?.(context(call, new PrivateState(bytes, definition.privateState)));
          return {};
        },
      ),
  };
}

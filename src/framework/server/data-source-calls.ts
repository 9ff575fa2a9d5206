import { encodeValue } from "../codec/dynamic-value.ts";
import { Failure } from "../failure.ts";
import { toObjectView } from "../schema/to-view.ts";
import type { DeferredReason, DynamicValue, ProviderServer } from "../server.ts";
import { Deadline } from "./deadline.ts";
import { complete } from "./found.ts";
import { entryOf, Registry } from "./registry.ts";
import type { Runtime } from "./runtime.ts";
import { validateCall } from "./validate-config.ts";

/** The calls for data sources. */
export function dataSourceCalls(
  runtime: Runtime,
): Pick<ProviderServer, "validateDataResourceConfig" | "readDataSource"> {
  const sources = Registry.of(runtime, "data source", runtime.provider.dataSources, entryOf);
  return {
    validateDataResourceConfig: validateCall(sources, "ValidateDataResourceConfig"),

    readDataSource: ({ typeName: type, config: sent, clientCapabilities }) =>
      sources.answer<{ state?: DynamicValue; deferred?: DeferredReason }>(
        { rpc: "ReadDataSource", operation: "read", type },
        {},
        async (call, { definition, root }) => {
          const { attributes } = definition;
          const config = call.decode(root, sent);
          if (runtime.isConfigurationUnknown && clientCapabilities.deferralAllowed) {
            return {
              state: encodeValue(root, complete(attributes, config, null)),
              deferred: "provider_config_unknown",
            };
          }
          call.begin({}, Deadline.of(attributes, config, "read", runtime.signal));
          const found = await definition.read({
            ...call.context,
            api: runtime.requireApi(),
            config: toObjectView(attributes, config, "desired"),
          });
          if (call.report.failed) return {};
          if (found === null) throw new Failure("Not found", `No ${type} matches the configuration.`);
          return { state: encodeValue(root, complete(attributes, config, found)) };
        },
      ),
  };
}

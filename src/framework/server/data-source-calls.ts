import { encodeValue } from "../codec/dynamic-value.ts";
import type { DataSourceDefinition } from "../define/data-source-definition.ts";
import { Failure } from "../failure.ts";
import type { Attributes } from "../schema/attribute.ts";
import { showObject } from "../schema/show.ts";
import type { Type } from "../schema/type.ts";
import { nested } from "../schema/types.ts";
import type { Desired } from "../schema/views.ts";
import type { DeferredReason, DynamicValue, ProviderServer } from "../server.ts";
import { Deadline } from "./deadline.ts";
import { complete } from "./found.ts";
import { Registry } from "./registry.ts";
import type { Runtime } from "./runtime.ts";
import { validateConfig } from "./validate-config.ts";

interface Source {
  readonly definition: DataSourceDefinition<Attributes, unknown>;
  readonly root: Type;
}

export function dataSourceCalls(
  runtime: Runtime,
): Pick<ProviderServer, "validateDataResourceConfig" | "readDataSource"> {
  const sources = new Registry<Source>(
    runtime,
    "data source",
    (runtime.provider.dataSources ?? []).map((definition) => [
      definition.type,
      () => ({ definition, root: nested(definition.attributes) }),
    ]),
  );
  return {
    validateDataResourceConfig: ({ typeName: type, config }) =>
      sources.answer({ rpc: "ValidateDataResourceConfig", operation: "validate", type }, {}, async (call, source) => {
        await validateConfig(call, source.definition, call.decode(source.root, config));
        return {};
      }),

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
            config: showObject(attributes, config, "desired") as Desired<Attributes>,
          });
          if (call.report.failed) return {};
          if (found === null) throw new Failure("Not found", `There is no ${type} as it was asked for.`);
          return { state: encodeValue(root, complete(attributes, config, found)) };
        },
      ),
  };
}

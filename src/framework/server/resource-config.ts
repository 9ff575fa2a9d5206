import { encodeValue } from "../codec/dynamic-value.ts";
import { forEachGiven } from "../schema/parts.ts";
import { resolvePath } from "../schema/path.ts";
import { toObjectView } from "../schema/to-view.ts";
import { transform } from "../schema/walk.ts";
import type { DynamicValue, ProviderServer } from "../server.ts";
import { setAt } from "../values/place.ts";
import type { Value } from "../values/value.ts";
import type { Call } from "./call.ts";
import type { Managed } from "./managed.ts";
import type { Registry } from "./registry.ts";
import { validateConfig } from "./validate-config.ts";

/** The calls for a resource's configuration: validate it, and generate it for an existing object. */
export function resourceConfigCalls(
  resources: Registry<Managed>,
): Pick<ProviderServer, "validateResourceConfig" | "generateResourceConfig"> {
  return {
    validateResourceConfig: ({ typeName: type, config: sent, clientCapabilities }) =>
      resources.answer({ rpc: "ValidateResourceConfig", operation: "validate", type }, {}, async (call, managed) => {
        const config = call.decode(managed.root, sent);
        if (!clientCapabilities.writeOnlyAttributesAllowed) refuseWriteOnly(call, managed, config);
        await validateConfig(call, managed, config);
        return {};
      }),

    generateResourceConfig: ({ typeName: type, state: sent }) =>
      resources.answer<{ config?: DynamicValue }>(
        { rpc: "GenerateResourceConfig", operation: "import", type },
        {},
        async (call, managed) => {
          const config = generateConfig(managed, call.decode(managed.root, sent));
          return { config: encodeValue(managed.root, config) };
        },
      ),
  };
}

function refuseWriteOnly(call: Call, { root }: Managed, config: Value): void {
  forEachGiven(root, config, ({ attribute, path }) => {
    if (!attribute.writeOnly) return;
    call.report.add("error", path, "Write-only value not supported", "It needs Terraform 1.11 or OpenTofu 1.11.");
  });
}

/** Only attributes that a user would write, without deprecated ones. */
function generateConfig({ root, attributes, definition }: Managed, state: Value): Value {
  const writable = transform(attributes, state, [], ({ attribute, descend }) =>
    attribute.mode === "computed" || attribute.writeOnly || attribute.deprecated !== undefined ? null : descend(),
  );
  const shown = toObjectView(attributes, state, "state");
  const omitted = definition.omitFromConfig?.({ state: shown }) ?? [];
  return omitted.reduce<Value>((config, path) => setAt(config, resolvePath(root, path).path, null), writable);
}

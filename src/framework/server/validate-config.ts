import type { Awaitable, ValidateContext } from "../define/context.ts";
import type { Attributes } from "../schema/attribute.ts";
import { showObject } from "../schema/show.ts";
import { validate } from "../schema/validate.ts";
import { forEachAttribute } from "../schema/walk.ts";
import type { Diagnosed, ValidateRequest } from "../server.ts";
import { isNull, type Value } from "../values/value.ts";
import type { Call } from "./call.ts";
import type { Entry, Registry } from "./registry.ts";

/** What can be configured, and may have rules of its own about that. */
export interface Configurable {
  readonly attributes: Attributes;
  validate?(context: ValidateContext<Attributes>): Awaitable<void>;
}

/** The call that validates the configuration of anything in a registry. */
export function validateCall<D extends Configurable>(registry: Registry<Entry<D>>, rpc: string) {
  return ({ typeName: type, config }: ValidateRequest): Promise<Diagnosed> =>
    registry.answer({ rpc, operation: "validate", type }, {}, async (call, entry) => {
      await validateConfig(call, entry, call.decode(entry.root, config));
      return {};
    });
}

/** Checks a configuration against its types and then, if it has passed, against the author's own rules. */
export async function validateConfig(
  call: Call,
  { definition, root }: Entry<Configurable>,
  config: Value,
): Promise<void> {
  const { attributes } = definition;
  for (const { path, place, problem } of validate(root, config)) {
    call.report.add("error", path, "Invalid value", `${place} ${problem}`);
  }
  warnOfDeprecated(call, attributes, config);
  if (call.report.failed) return;
  await definition.validate?.({ ...call.context, config: showObject(attributes, config, "config") });
}

/** Terraform knows from the schema what is deprecated, but leaves it to the provider to say so. */
function warnOfDeprecated(call: Call, attributes: Attributes, config: Value): void {
  forEachAttribute(attributes, config, [], ({ attribute: { deprecated }, path, value }) => {
    if (deprecated === undefined || isNull(value)) return;
    call.report.add("warning", path, "Deprecated attribute", deprecated);
  });
}

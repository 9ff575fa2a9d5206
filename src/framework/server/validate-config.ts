import type { Awaitable, ValidateContext } from "../define/context.ts";
import type { Attributes } from "../schema/attribute.ts";
import { showObject } from "../schema/show.ts";
import { nested } from "../schema/types.ts";
import { validate } from "../schema/validate.ts";
import type { Config } from "../schema/views.ts";
import { forEachAttribute } from "../schema/walk.ts";
import { isNull, type Value } from "../values/value.ts";
import type { Call } from "./call.ts";

/** Checks a configuration against its types and then, if it has passed, against the author's own rules. */
export async function validateConfig(
  call: Call,
  definition: { readonly attributes: Attributes; validate?(context: ValidateContext<Attributes>): Awaitable<void> },
  config: Value,
): Promise<void> {
  const { attributes } = definition;
  for (const { path, problem } of validate(nested(attributes), config)) {
    call.report.add("error", path, "Invalid value", problem);
  }
  warnOfDeprecated(call, attributes, config);
  if (call.report.failed) return;
  await definition.validate?.({
    ...call.context,
    config: showObject(attributes, config, "config") as Config<Attributes>,
  });
}

/** Terraform knows from the schema what is deprecated, but leaves it to the provider to say so. */
function warnOfDeprecated(call: Call, attributes: Attributes, config: Value): void {
  forEachAttribute(attributes, config, [], ({ attribute: { deprecated }, path, value }) => {
    if (deprecated !== undefined && !isNull(value))
      call.report.add("warning", path, "Deprecated attribute", deprecated);
  });
}

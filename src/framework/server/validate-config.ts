import type { Awaitable, ValidateContext } from "../define/context.ts";
import type { Path } from "../diagnostics.ts";
import { type Attributes, isComputed } from "../schema/attribute.ts";
import { nestingOf } from "../schema/describe.ts";
import { forEachGiven, partsOf } from "../schema/parts.ts";
import { formatPath } from "../schema/path.ts";
import { toObjectView } from "../schema/to-view.ts";
import { isSlotMap, type Type } from "../schema/type.ts";
import { validate } from "../schema/validate.ts";
import type { Diagnosed, ValidateRequest } from "../server.ts";
import { isNull, isUnknown, membersOf, type Value } from "../values/value.ts";
import type { Call } from "./call.ts";
import type { Entry, Registry } from "./registry.ts";

/** Anything with a configuration, and possibly its own validation rules. */
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

/** Checks a configuration against its types and, if it passes, against the author's own rules. */
export async function validateConfig(
  call: Call,
  { definition, root }: Entry<Configurable>,
  config: Value,
): Promise<void> {
  const { attributes } = definition;
  for (const { path, summary, place, problem } of validate(root, config)) {
    call.report.add("error", path, summary, `${place} ${problem}`);
  }
  warnOfDeprecated(call, root, config);
  // Before the provider is configured, variables are not known; a null at that point was written as null or not at all.
  if (!call.runtime.isConfigured) warnOfEmpty(call, root, config);
  refuseNullSlots(call, root, config);
  if (call.report.failed) return;
  await definition.validate?.({ ...call.context, config: toObjectView(attributes, config, "config") });
}

/** Terraform receives deprecations with the schema, but leaves the warning to the provider. */
function warnOfDeprecated(call: Call, root: Type, config: Value): void {
  forEachGiven(root, config, ({ attribute: { deprecated }, path, value }) => {
    // A value that is not known yet may turn out to be null.
    if (deprecated !== undefined && !isUnknown(value))
      call.report.add("warning", path, "Deprecated attribute", deprecated);
  });
}

/** Terraform drops names inside an object that the schema does not have, so a misspelt setting disappears. */
function warnOfEmpty(call: Call, type: Type, value: Value, path: Path = []): void {
  if (isNull(value) || isUnknown(value)) return;
  const parts = partsOf(type, value);
  if (
    path.length > 0 &&
    type.shape.kind === "nested" &&
    !type.mayBeEmpty &&
    parts.every((part) => isNull(part.value))
  ) {
    const summary = "Nothing is set";
    const settings = Object.entries(type.shape.attributes).filter(([, { mode }]) => mode !== "computed");
    const place = formatPath(path);
    call.report.add(
      "warning",
      path,
      summary,
      `${place} sets nothing. Terraform drops names it does not know without a message: check the spelling. The settings of ${place} are ${settings.map(([name]) => name).join(", ")}.`,
    );
  }
  for (const part of parts) warnOfEmpty(call, part.type, part.value, [...path, ...part.step]);
}

/**
 * OpenTofu crashes on a plan with a null in a map of objects that have computed members (1.12: plans/objchange/
 * plan_valid.go, `assertPlannedObjectValid`); Terraform takes it.
 */
function refuseNullSlots(call: Call, root: Type, config: Value): void {
  forEachGiven(root, config, ({ attribute: { type }, path, value }) => {
    const nesting = isSlotMap(type) ? nestingOf(type) : null;
    const isRisky = nesting !== null && Object.values(nesting.attributes).some(isComputed);
    const absent = isRisky ? [...membersOf(value)].filter(([, member]) => isNull(member)) : [];
    if (absent.length === 0 || !call.runtime.isOpenTofu()) return;
    for (const [key] of absent) {
      const here = [...path, { key }];
      const detail = `${formatPath(here)} is null, which makes OpenTofu crash. Leave the key out instead: \`merge({ … }, condition ? { ${key} = { … } } : {})\`.`;
      call.report.add("error", here, "Invalid value", detail);
    }
  });
}

import type { Path } from "../diagnostics.ts";
import { isComputed } from "../schema/attribute.ts";
import { nestingOf } from "../schema/describe.ts";
import { type Site, transform } from "../schema/walk.ts";
import { elementsOf, equal, isMap, isNull, isUnknown, membersOf, type Value } from "../values/value.ts";
import type { Change } from "./propose.ts";

export interface RuleViolation {
  readonly path: Path;
  readonly rule: string;
}

/**
 * Terraform's own rules for a plan: a configured value is planned as configured (or exactly as it was), and only
 * computed attributes that are not configured may be filled in. Terraform refuses a plan that breaks them with a
 * message that does not help, so this check names the hook's mistake first.
 */
export function ruleViolations(
  { attributes, prior, config }: Omit<Change, "proposed">,
  planned: Value,
): RuleViolation[] {
  const found: RuleViolation[] = [];
  transform(attributes, planned, [config, prior], (site) => {
    const verdict = judge(site);
    if (verdict === "look inside") return site.descend();
    if (verdict !== "fine") found.push({ path: site.path, rule: verdict });
    return site.value;
  });
  return found;
}

function judge({ attribute, value, parallel: [config = null, prior = null] }: Site): string {
  if (attribute.writeOnly) return isNull(value) ? "fine" : "a write-only value must not be planned";
  if (equal(value, config) || attribute.mode === "computed") return "fine";
  if (!isNull(prior) && !isNull(config) && equal(value, prior)) return "fine";
  if (isNull(config))
    return isComputed(attribute) ? "fine" : "a value was planned that is neither configured nor computed";
  const nesting = nestingOf(attribute.type)?.nesting;
  if (nesting === undefined || isNull(value) || isUnknown(value)) {
    return "what is configured must be planned as it is, or exactly as it was";
  }
  if (!fits[nesting](value, config)) return "the plan must have the elements that are configured";
  return nesting === "set" ? "fine" : "look inside";
}

/** Elements of a set may become equal, so they cannot be matched for certain. */
const fits = {
  single: () => true,
  list: (value: Value, config: Value) => elementsOf(value).length === elementsOf(config).length,
  set: (value: Value, config: Value) => elementsOf(value).length <= elementsOf(config).length,
  map: (value: Value, config: Value) =>
    isMap(value) &&
    value.size === membersOf(config).size &&
    [...value.keys()].every((key) => membersOf(config).has(key)),
};

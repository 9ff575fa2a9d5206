import type { Attributes } from "../schema/attribute.ts";
import { transform } from "../schema/walk.ts";
import { equal, isMap, isNull, isUnknown, memberOf, type Value } from "../values/value.ts";

interface Applied {
  readonly attributes: Attributes;
  readonly prior: Value;
  readonly config: Value;
  readonly planned: Value;
  /** The prior state with every argument undone that this configuration does not have. */
  readonly restored: Value;
}

/**
 * The configuration that the plan was made with. For a plan Terraform replaces what `ignore_changes` names by its prior
 * value, and for the apply it does not (terraform internal/terraform/node_resource_abstract_instance.go). So an absent
 * argument is an ignored one if the plan keeps its value although undoing it would change it.
 */
export function configOfPlan({ attributes, prior, config, planned, restored }: Applied): Value {
  return transform(attributes, config, [prior, planned, restored], ({ attribute, value, parallel, descend }) => {
    const [before = null, after = null, undone = null] = parallel;
    if (isNull(value)) return isIgnored(before, after, undone) ? before : value;
    const inner = descend();
    if (!attribute.byKey || !isMap(inner) || !isMap(before)) return inner;
    const ignored = [...before].filter(
      ([key, member]) => isNull(memberOf(inner, key)) && isIgnored(member, memberOf(after, key), memberOf(undone, key)),
    );
    return ignored.length === 0 ? inner : new Map([...inner, ...ignored]);
  });
}

const isIgnored = (prior: Value, planned: Value, restored: Value): boolean =>
  !isNull(prior) && equal(planned, prior) && !isUnknown(restored) && !equal(restored, prior);

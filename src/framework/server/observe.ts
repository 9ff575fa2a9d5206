import type { ReadContext } from "../define/resource-definition.ts";
import { reconcileObject } from "../plan/reconcile.ts";
import type { Attributes } from "../schema/attribute.ts";
import { fromObjectView } from "../schema/from-view.ts";
import { toObjectView } from "../schema/to-view.ts";
import { equal, type Value } from "../values/value.ts";
import type { Call } from "./call.ts";
import type { Managed } from "./managed.ts";
import type { PrivateState } from "./private-state.ts";

/**
 * Calls the resource's `read`, the only writer of state, for the object as it is now, and aligns the result with what
 * Terraform expects (null: nothing yet). Null: the object no longer exists.
 */
export async function observe(
  call: Call,
  managed: Managed,
  purpose: ReadContext<Attributes, string, object, unknown>["purpose"],
  identity: Value,
  expected: Value,
  privateState: PrivateState,
  signal: AbortSignal = call.signal,
): Promise<Value> {
  const { definition, attributes } = managed;
  const observed = await definition.read({
    ...call.context,
    signal,
    api: call.runtime.requireApi(),
    id: managed.identityView(identity),
    state: expected === null ? null : toObjectView(attributes, expected, "state"),
    purpose,
    privateState: privateState.value,
  });
  if (observed === null || observed === undefined) return null;
  const state = reconcileObject(attributes, fromObjectView(attributes, observed, "observed"), expected);
  if (!equal(managed.identityIn(state), identity)) {
    call.report.bug("The provider read one object and returned another.");
  }
  return state;
}

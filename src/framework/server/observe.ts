import type { ReadContext } from "../define/resource-definition.ts";
import { reconcileObject } from "../plan/reconcile.ts";
import type { Attributes } from "../schema/attribute.ts";
import { showObject } from "../schema/show.ts";
import { takeObject } from "../schema/take.ts";
import { equal, type Value } from "../values/value.ts";
import type { Call } from "./call.ts";
import type { Managed } from "./managed.ts";
import type { PrivateState } from "./private-state.ts";

/**
 * Asks the resource's `read`, the only writer of state, for the object as it is now, and fits the answer to what
 * Terraform expects of it (null: nothing yet). Null: the object is gone.
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
    id: managed.showIdentity(identity),
    state: expected === null ? null : showObject(attributes, expected, "state"),
    purpose,
    privateState: privateState.value,
  });
  if (observed === null || observed === undefined) return null;
  const state = reconcileObject(attributes, takeObject(attributes, observed, "observed"), expected);
  if (!equal(managed.identityIn(state), identity)) {
    call.report.bug("The provider was asked to read one object and answered with another.");
  }
  return state;
}

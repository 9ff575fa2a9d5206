import { encodeValue } from "../codec/dynamic-value.ts";
import { keptValueWarnings } from "../plan/kept-value-warnings.ts";
import { propose, settleEmptyMaps } from "../plan/propose.ts";
import { type Replacement, replacements } from "../plan/replace.ts";
import { ruleViolations } from "../plan/rules.ts";
import { formatPath } from "../schema/path.ts";
import { toObjectView } from "../schema/to-view.ts";
import { missingInNew } from "../schema/validate.ts";
import type { PlanRequest, PlanResponse, ProviderServer } from "../server.ts";
import { isWhollyKnown, type Value } from "../values/value.ts";
import type { Call } from "./call.ts";
import type { Managed } from "./managed.ts";
import { Draft } from "./plan-hook.ts";
import type { Registry } from "./registry.ts";

type Plan = Omit<PlanResponse, "diagnostics">;

/** Plans a change. */
export function resourcePlanCalls(resources: Registry<Managed>): Pick<ProviderServer, "planResourceChange"> {
  return {
    planResourceChange: (request) =>
      resources.answer<Plan>(
        { rpc: "PlanResourceChange", operation: "plan", type: request.typeName },
        { requiresReplace: [], plannedPrivate: request.priorPrivate },
        async (call, managed) => {
          const prior = call.decode(managed.root, request.priorState);
          const proposed = call.decode(managed.root, request.proposedNewState);
          return proposed === null
            ? planDelete(call, managed, request, prior)
            : planChange(call, managed, request, prior, proposed);
        },
      ),
  };
}

async function planDelete(call: Call, managed: Managed, request: PlanRequest, prior: Value): Promise<Plan> {
  const privateState = managed.privateState(request.priorPrivate);
  if (prior !== null) {
    call.begin({ operation: "delete", id: managed.identityView(managed.identityIn(prior)) });
    await planRemoval(call, managed, prior, { privateState: privateState.value, isReplaced: false });
  }
  privateState.refusal = call.report.refusal;
  return { plannedState: encodeValue(managed.root, null), requiresReplace: [], plannedPrivate: privateState.encode() };
}

/** Of an object that is destroyed, or replaced: Terraform announces the removal in a replacement by no call of its own. */
async function planRemoval(
  call: Call,
  managed: Managed,
  prior: Value,
  removal: { readonly privateState: object; readonly isReplaced: boolean },
): Promise<void> {
  const { definition, attributes } = managed;
  const id = managed.identityView(managed.identityIn(prior));
  const state = toObjectView(attributes, prior, "state");
  await definition.planDelete?.({ ...call.context, api: call.runtime.api, id, state, ...removal });
}

async function planChange(
  call: Call,
  managed: Managed,
  request: PlanRequest,
  prior: Value,
  proposed: Value,
): Promise<Plan> {
  const { definition, attributes, root } = managed;
  const { deferralAllowed } = request.clientCapabilities;
  const config = call.decode(root, request.config);
  const change = { attributes, prior, config };
  const privateState = managed.privateState(request.priorPrivate);
  for (const { path, summary, place, problem } of prior === null ? missingInNew(root, config) : []) {
    call.report.add("error", path, summary, `${place} ${problem}`);
  }
  const undone = managed.undo(prior, config, privateState);
  const suggested = propose({ ...change, proposed }, undone.restored);
  const draft = new Draft(managed, { prior, config, planned: suggested, leaving: undone.keys }, deferralAllowed);
  await definition.plan?.(draft.context(call, privateState));
  const { planned, shown } = settleEmptyMaps(attributes, [config, prior], draft.planned);
  for (const path of shown) {
    const summary = "Keys that are left alone";
    const detail = `${formatPath(path)} is an empty map: the plan shows its keys as removed, and they stay on the object as they are. Leave the argument out instead.`;
    call.report.add("warning", path, summary, detail);
  }
  for (const { path, rule } of ruleViolations(change, planned)) {
    call.report.bug(`The plan for ${formatPath(path)} breaks a rule of Terraform: ${rule}.`, path);
  }
  const replaced =
    prior === null ? [] : [...replacements(change, planned, definition.update !== undefined), ...draft.replacements];
  warn(call, replaced);
  // A new object keeps nothing.
  for (const { summary, detail } of replaced.length > 0 ? [] : keptValueWarnings(undone, privateState)) {
    call.report.add("warning", [], summary, detail);
  }
  if (replaced.length > 0 && !call.report.failed) {
    await planRemoval(call, managed, prior, { privateState: privateState.value, isReplaced: true });
  }
  const deferred =
    draft.deferred ?? (deferralAllowed && call.runtime.isConfigurationUnknown ? "provider_config_unknown" : undefined);
  privateState.refusal = call.report.refusal;
  const identity = managed.hasIdentity ? managed.identityIn(planned) : null;
  return {
    plannedState: encodeValue(root, planned),
    requiresReplace: unique(replaced),
    plannedPrivate: privateState.encode(),
    ...(deferred ? { deferred } : {}),
    // OpenTofu 1.12 fails to encode an identity that is not known yet, and no identity is needed here.
    ...(identity !== null && isWhollyKnown(identity)
      ? { plannedIdentity: encodeValue(managed.identityType, identity) }
      : {}),
  };
}

function warn(call: Call, replaced: readonly Replacement[]): void {
  for (const { path, reason } of replaced) {
    if (reason !== undefined) call.report.add("warning", path, `${formatPath(path)} forces replacement`, reason);
  }
}

const unique = (replaced: readonly Replacement[]) => [
  ...new Map(replaced.map(({ path }) => [JSON.stringify(path), path])).values(),
];

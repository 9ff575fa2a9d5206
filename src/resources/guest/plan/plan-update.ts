import type { Members } from "#kit";
import { leavingSlots } from "../changes.ts";
import type { GuestPlan, GuestState } from "../context.ts";
import { statusUnderHa } from "../ha-options.ts";
import { isUp } from "../is-up.ts";
import { acceptGrowth } from "../lifecycle/growth.ts";
import { powerWanted } from "../lifecycle/progress.ts";
import { slotMaps } from "../observe.ts";
import { restartAdvice } from "../restart-advice.ts";
import { checkGivenUp } from "./checks/given-up.ts";
import { checkPool } from "./checks/place.ts";
import { guardRename } from "./guards.ts";
import { updateNeeds } from "./needs/guest-needs.ts";
import { planHa } from "./plan-ha.ts";
import { reportLeaving } from "./plan-leaving.ts";
import { planLostVolumes } from "./plan-lost-volumes.ts";
import { leaveUnknown, planRenamedVolumes } from "./plan-outputs.ts";
import { planPlace } from "./plan-place.ts";
import { planReplacement } from "./plan-replacement.ts";
import { predictChange } from "./predict-change.ts";

/** The plan of a change: in place, unless the VMID changes or another source is configured to replace the guest. */
export async function planUpdate(context: GuestPlan, prior: GuestState): Promise<void> {
  const { kind, privateState } = context;
  privateState.replacing = prior.vmid ?? null;
  delete privateState.hasHaSuccessor;
  await planPlace(context, prior);
  planReplacement(context, prior);
  await planLostVolumes(context, prior);
  acceptGrowth(context, prior);
  planHa(context);
  planStatus(context, prior);
  planUnfinished(context, prior);
  planWaiting(context, prior);
  kind.plan.begin(context);
  if (context.changes.size === 0) return;
  planAbsent(context);
  kind.plan.adjust(context);
  const { api } = context;
  checkTemplate(context, prior);
  kind.plan.checkFixed(context, prior);
  if (api) {
    await guardRename(context, api, prior);
    await checkPool(context, api);
    await checkGivenUp(context, api, prior);
  }
  const leaving = leavingSlots(context, prior, context.planned);
  reportLeaving(context, prior, leaving);
  const needs = updateNeeds(context, prior, leaving.removed);
  const becomesTemplate = context.planned.template && !prior.template;
  if (becomesTemplate || context.planned.node !== prior.node) planRenamedVolumes(context);
  const isPredicted = api && (await predictChange(context, api, { prior, leaving, needs }));
  if (!isPredicted) leaveUnknown(context, prior);
}

/** A device that has to go leaves its map, which does not mention it. */
function planAbsent(context: GuestPlan): void {
  const { kind, config, planned } = context;
  const absent = (planned as Members)["absent_devices"];
  if (!Array.isArray(absent)) return;
  for (const [map] of slotMaps(kind.settings).filter(([name]) => (config as Members)[name] === null)) {
    const devices = Object.entries((planned as Members)[map] ?? {});
    const rest = devices.filter(([slot]) => !absent.includes(slot));
    if (rest.length < devices.length) context.set(map, rest.length === 0 ? null : Object.fromEntries(rest));
  }
}

/** Another user may have started or stopped it. */
function planStatus(context: GuestPlan, prior: GuestState): void {
  const power = powerWanted(context.config.power, context.privateState);
  if (power === "running" && prior.status !== "running" && !prior.template) context.set("status", "running");
  if (power === "stopped" && isUp(prior)) context.set("status", "stopped");
  const managed = context.changes.has("ha") ? statusUnderHa(context.planned) : null;
  if (managed !== null && prior.status !== managed) context.set("status", managed);
}

/** Changes that wait for a restart, of whomever: a restart that is allowed puts them into effect. */
function planWaiting(context: GuestPlan, prior: GuestState): void {
  const { kind, planned, report, changes } = context;
  const waiting = isUp(prior) && planned.status === "running" ? (prior.pending ?? []) : [];
  if (waiting.length === 0) return;
  if (planned.restart_policy === "when_needed") context.set("pending", []);
  // A plan that changes the guest says what will wait then.
  if (changes.size > 0) return;
  report.warning(
    "restart_policy",
    "Changes wait for a restart",
    `${kind.title} ${prior.vmid} runs with older settings until it is restarted: ${waiting.join(", ")}. ${restartAdvice(kind)}`,
  );
}

/** A guest with a mark that is not replaced was untainted: the apply completes its create. */
function planUnfinished(context: GuestPlan, prior: GuestState): void {
  const { kind, privateState, report } = context;
  if (privateState.mark === null) return;
  context.setUnknown("pending");
  report.warning(
    null,
    `${kind.title} is not complete`,
    `The creation of ${kind.noun} ${prior.vmid} ended early. This apply completes it.`,
  );
}

function checkTemplate({ kind, config, report }: GuestPlan, prior: GuestState): void {
  if (prior.template && config.template === false) {
    report.error("template", "A template stays one", `It cannot be turned back into a ${kind.noun}. Clone it instead.`);
  }
  if (!prior.template && config.template && isUp(prior) && config.power !== "stopped") {
    report.error(
      "template",
      `The ${kind.noun} is running`,
      `Stop it first (\`power = "stopped"\`): a running ${kind.noun} cannot become a template.`,
    );
  }
}

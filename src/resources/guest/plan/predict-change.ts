import { type ConfigDraft, checkPrivileges, type Members, type Need, parseWired, type Session } from "#kit";
import type { GuestAddress, GuestConfig } from "#pve";
import { changedOnly, hasVolumes, type Leaving, type LeavingSlot, withReleased } from "../changes.ts";
import { type GuestPlan, type GuestQuery, type GuestState, queryOf } from "../context.ts";
import { isUp } from "../is-up.ts";
import { configToChange } from "../lifecycle/known.ts";
import { readRunning } from "../lifecycle/pending.ts";
import { forgetOptions, patchSettings } from "../removed-options.ts";
import { refuseChangedMeanwhile, refuseGone } from "./changed-meanwhile.ts";
import { checkProtection } from "./checks/protection.ts";
import { checkSnapshots } from "./checks/snapshots.ts";
import { fill } from "./fill.ts";
import { planReleasedVolumes } from "./foreign-volumes.ts";
import { planBeforeChange } from "./plan-before-change.ts";
import { cardIn, planMacs, planReplacedVolumes } from "./plan-outputs.ts";
import { planPower, waitingOptions } from "./plan-power.ts";
import { checkChangePrivileges } from "./privileges.ts";
import { planReturningVolumes } from "./returning-volumes.ts";

interface Change {
  readonly prior: GuestState;
  readonly leaving: Leaving;
  readonly needs: readonly Need[];
}

/** Predicts the guest's configuration after a change, and checks it. Returns whether that was possible. */
export async function predictChange(
  context: GuestPlan,
  api: Session,
  { prior, leaving, needs }: Change,
): Promise<boolean> {
  const { kind } = context;
  if (prior.vmid === undefined || prior.node === undefined) return false;
  const guest = { node: prior.node, vmid: prior.vmid };
  const query = queryOf(context, api);
  const found = await configNow(query, guest);
  if (found === null) return refuseGone(context, guest);
  const seen = await readRunning(query, guest);
  const removed = seen.removed.filter((option) => option in found.options);
  const [before, after] = [kind.draft(api, found.options), kind.draft(api, found.options)];
  for (const draft of [before, after]) forgetOptions(draft, removed);
  if (refuseChangedMeanwhile(context, prior, { config: found, seen, before })) return true;
  await planReturningVolumes(context, api, prior, before);
  kind.plan.planDisplaced(context);
  for (const { slot } of leaving.removed) kind.removeSlot(after, slot);
  const wanted = withReleased(kind.plan.wanted(context), leaving.released);
  const changed = changedOnly(kind.attributes, kind.plan.past(context, prior), wanted);
  patchSettings(kind, after, { changed, wanted, removed });
  kind.plan.adjustDraft(context, after);
  await planBeforeChange(context, api, { guest, prior, before, after, leaving: leaving.removed });
  const change = { guest, prior, seen, before, after, leaving: leaving.removed };
  // Before the checks, in which plans of other guests wait for it.
  planReleasedVolumes(context, api, prior, [...waitingOptions(context, change), ...leaving.kept]);
  const isStarted = !isUp(prior) && context.planned.status === "running";
  if (changesSettings(context) || isStarted)
    await predictSettings(context, api, { guest, leaving: leaving.removed, before, after, needs });
  else await checkPrivileges({ report: context.report, api, needs });
  planPower(context, change);
  return true;
}

/** The guest may have been moved since it was read. */
async function configNow(query: GuestQuery, guest: GuestAddress): Promise<GuestConfig | null> {
  const { api } = query;
  const there = await configToChange(query, guest);
  if (there !== null) return there;
  api.inventory.forget();
  const moved = await api.inventory.locate(guest.vmid);
  return moved && configToChange(query, { node: moved.node, vmid: guest.vmid });
}

const changesSettings = ({ kind, changes }: GuestPlan): boolean =>
  [...changes].some((name) => name in kind.settings || name === "node");

interface Settings {
  readonly guest: GuestAddress;
  readonly leaving: readonly LeavingSlot[];
  readonly before: ConfigDraft;
  readonly after: ConfigDraft;
  readonly needs: readonly Need[];
}

async function predictSettings(context: GuestPlan, api: Session, change: Settings): Promise<void> {
  const { kind, config } = context;
  const { guest, leaving, before, after } = change;
  const needs = [...change.needs, ...(await kind.plan.predictData(context, api, after))];
  checkProtection(context, { before, after });
  await checkSnapshots(context, api, { guest, before, leaving });
  const slots = leaving.map(({ slot }) => slot);
  await kind.plan.check(context, api, { node: context.planned.node, before, after }, slots);
  await checkChangePrivileges(context, api, { before, after, from: "itself", needs });
  const predicted = parseWired(kind.settings, after);
  fill(context, {
    attributes: kind.settings,
    path: [],
    config: config as Members,
    planned: context.planned as Members,
    predicted,
  });
  kind.plan.afterFill(context, after);
  const inherited = (context.planned.inherited ?? []).filter(
    (slot): slot is string => slot !== undefined && after.has(slot),
  );
  context.set("inherited", inherited);
  const { changes } = context;
  if ([...changes].some((name) => hasVolumes(kind, name))) planReplacedVolumes(context);
  if (changes.has("networks") || changes.has("absent_devices"))
    planMacs(context, after, (slot) => !before.has(slot) && !cardIn(config, slot)?.["mac"]);
}

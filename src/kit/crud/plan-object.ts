import type { PlanContext, PlanDeleteContext } from "#framework";
import { isPveError } from "../pve-error.ts";
import { checkReference } from "../references.ts";
import { sentenceCase } from "../sentence-case.ts";
import type { Session } from "../session.ts";
import type { Members, WiredAttribute } from "../wire/wired.ts";
import type { Crud } from "./define-crud.ts";
import type { Wired } from "./definition.ts";
import { checkEndpoints } from "./privileges.ts";
import { referralsIn } from "./referrals.ts";
import { isLeftover, keyOf, planApplied, planCommit, planRemovalCommit, thatExists } from "./staged-object.ts";
import { forgetSuccessor, isReplacement, noteReplaceable, noteSuccessor } from "./succession.ts";

type Plan = PlanContext<Wired, object, Session>;

/** Fills in what is known of a new object, then holds the change against the cluster. */
export async function planObject(crud: Crud, context: Plan): Promise<void> {
  const { definition } = crud;
  const { api, prior } = context;
  planKind(crud, context);
  if (prior === null) planAbsent(definition.attributes, context);
  planApplied(crud, context);
  if (api === undefined) return;
  if (prior === null) noteSuccessor(crud, context);
  else noteExisting(crud, context, prior, api);
  const isAllowed = prior === null || context.changes.size > 0 ? await planOnCluster(crud, context, api) : false;
  await definition.plan?.(context, api);
  // After all that fills in the plan: what an interrupted run has left is known by its values.
  const isReplaced = prior === null && isAllowed && (await takesPlace(crud, context, api));
  await planCommit(crud, context, api, isReplaced);
}

/** What PVE assumes where an option is left out is known before the object exists. */
function planAbsent(attributes: Wired, { config, set }: Plan): void {
  for (const [name, { absent, mode }] of Object.entries(attributes) as [string, WiredAttribute][]) {
    if (absent !== undefined && mode === "optional_computed" && config[name] === null) set([name], absent);
  }
}

/** An object of another type is another object. */
function planKind({ definition, model: { variants } }: Crud, context: Plan): void {
  if (variants.names.length === 0) return;
  const { config, prior } = context;
  const kind = variants.kindIn(config as Members);
  if (variants.attribute !== undefined) {
    if (kind === undefined) context.setUnknown([variants.attribute]);
    else if (kind !== null) context.set([variants.attribute], kind);
  }
  const before = prior === null ? null : variants.kindIn(prior as Members);
  if (kind && before && kind !== before) {
    context.replace(kind, `A ${definition.noun} of type \`${before}\` cannot become one of type \`${kind}\`.`);
  }
}

/** Whether the caller may make the change. */
async function planOnCluster(crud: Crud, context: Plan, api: Session): Promise<boolean> {
  const { definition, model } = crud;
  const { config, prior, report } = context;
  const kind = model.variants.kindIn(config as Members);
  if (kind === undefined) return false;
  const id = model.idOf(config as Members);
  const there = thatExists(prior as Members | null);
  if (there === null && model.isWhole(id) && definition.plannedAs)
    api.planned.add(definition.plannedAs, model.nameOf(id));
  for (const referral of referralsIn(definition.attributes, config as Members, there)) {
    await checkReference(api, report, referral);
  }
  return checkCaller(crud, context, api, prior === null ? "create" : "update", id);
}

/** Whether a new object takes the place of one that Terraform has. Any other one that exists is refused. */
async function takesPlace(crud: Crud, context: Plan, api: Session): Promise<boolean> {
  const { definition, model, access } = crud;
  const { config, planned, report } = context;
  const id = model.idOf(config as Members);
  if (definition.isPermanent || !model.isWhole(id)) return false;
  const isTakenOver = definition.isTakenOver?.(model.variants.kindIn(config as Members) ?? null);
  if (!isTakenOver) refuseTwin(crud, context, api, id);
  const found = await ifVisible(() => access.find(api, id, { purpose: "plan" }));
  if (found === null) return false;
  if (api.managed.has(definition.type, model.idText(id))) return true;
  if (isTakenOver || (await isLeftover(crud, api, found, planned as Members))) return false;
  const { summary, detail } = crud.existing(id);
  report.error(model.nameAttribute, summary, detail);
  return false;
}

/** What the resources of one plan create: the cluster cannot know yet that two of them create the same object. */
export const plannedCreations = (api: Session): Set<string> =>
  api.store.keep("objects that a plan creates", () => new Set<string>());

/** Objects that stay what they are in the state, and so leave no room for another resource. */
const staying = (api: Session): Set<string> => api.store.keep("objects that a plan keeps", () => new Set<string>());

function noteExisting(crud: Crud, context: Plan, prior: object, api: Session): void {
  const { definition, model } = crud;
  const { config, report } = context;
  const id = model.idIn(prior as Members);
  if (definition.isPermanent) return;
  noteReplaceable(crud, prior, context);
  const key = keyOf(crud, id);
  if (keyOf(crud, model.idOf(config as Members)) !== key) return;
  staying(api).add(key);
  if (plannedCreations(api).has(key)) reportTwin(crud, report, id, "creates it, too");
}

function refuseTwin(crud: Crud, context: Plan, api: Session, id: Members): void {
  const { report } = context;
  if (report.failed) return;
  const planned = plannedCreations(api);
  const key = keyOf(crud, id);
  if (planned.has(key)) reportTwin(crud, report, id, "creates it, too");
  else if (!isReplacement(crud, context) && staying(api).has(key)) reportTwin(crud, report, id, "has it in the state");
  planned.add(key);
}

function reportTwin({ model }: Crud, report: Plan["report"], id: Members, what: string): void {
  const detail = `Another resource of this configuration ${what}. Remove one of them, or change its \`${model.nameAttribute}\`.`;
  report.error(model.nameAttribute, `${sentenceCase(model.label(id))} is given twice`, detail);
}

/** A caller who may not look for an object cannot tell that it exists: null. */
async function ifVisible<T>(look: () => Promise<T>): Promise<T | null> {
  try {
    return await look();
  } catch (reason) {
    if (!isPveError(reason, "permission")) throw reason;
    return null;
  }
}

export async function planDeletion(
  crud: Crud,
  context: PlanDeleteContext<Wired, string, object, Session>,
): Promise<void> {
  const { api, id, isReplaced } = context;
  if (!isReplaced) forgetSuccessor(context);
  if (api === undefined) return;
  await checkCaller(crud, { ...context, planned: {}, prior: context.state }, api, "delete", id as Members);
  await crud.definition.planDelete?.(context, api);
  if (!context.report.failed) planRemovalCommit(crud, context, api);
}

type Judged = Pick<Plan, "report"> & { readonly planned: object; readonly prior: object | null };

function checkCaller(
  { definition, model, access }: Crud,
  { report, planned, prior }: Judged,
  api: Session,
  action: "create" | "update" | "delete",
  id: Members,
): Promise<boolean> {
  const kind = model.variants.kindIn({ ...(prior ?? {}), ...planned } as Members) ?? null;
  const { read, [action]: write } = access.endpoints(kind);
  return checkEndpoints({
    api,
    report,
    endpoints: [write, read],
    places: model.key(id),
    needs: definition.needs?.({ action, id, planned: planned as Members, state: prior as Members | null }) ?? [],
    label: model.label(id),
  });
}

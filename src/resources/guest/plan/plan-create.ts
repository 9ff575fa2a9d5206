import { checkPrivileges, type Need, patchWired, type Session } from "#kit";
import { type GuestPlan, queryOf } from "../context.ts";
import { directTarget } from "../lifecycle/clone.ts";
import { whyNoSource } from "../lifecycle/missing-source.ts";
import { findSource, type Source } from "../lifecycle/source.ts";
import { guestPrivileges } from "../privileges.ts";
import { checkPool } from "./checks/place.ts";
import { guardName, guardTwins, guardVmid } from "./guards.ts";
import { createNeeds, heldBy } from "./needs/guest-needs.ts";
import { onGuest, onPath } from "./needs/need.ts";
import { planAdoption } from "./plan-adoption.ts";
import { planInherited, predict } from "./plan-copy.ts";
import { planHa } from "./plan-ha.ts";
import { planNewOutputs } from "./plan-outputs.ts";
import { warnOfSuccession } from "./plan-replacement.ts";
import { planRestore } from "./plan-restore.ts";
import { checkChangePrivileges } from "./privileges.ts";

/** The plan of a new guest: shows what it inherits, and refuses what would fail during the apply. */
export async function planCreate(context: GuestPlan, api: Session): Promise<void> {
  const { kind, config, privateState } = context;
  if (config.ha && config.vmid && config.vmid === privateState.replacing) privateState.hasHaSuccessor = true;
  if (config.name) api.planned.add(kind.plannedAs, config.name);
  if (config.vmid) {
    api.planned.add(kind.plannedAs, config.vmid);
    api.planned.add("guest", config.vmid);
    if (config.pool) api.planned.addToPool(config.vmid, config.pool);
  }
  warnOfSuccession(context, api);
  guardTwins(context, api);
  delete privateState.adopting;
  const adoptee = await guardName(context, api);
  if (adoptee === null) await guardVmid(context, api);
  await checkPool(context, api);
  planHa(context);
  if (adoptee !== null) return planAdoption(context, api, adoptee);
  if (config.restore === undefined) return;
  if (config.restore) {
    const { archive } = config.restore;
    return archive === undefined ? undefined : planRestore(context, api, archive);
  }
  if (await kind.plan.planSource(context, api)) return;
  const reference = config.clone === null ? null : config.clone?.template;
  if (reference === undefined) return;
  if (reference === null) return planNew(context, api);
  const source = await findSource(queryOf(context, api), reference);
  if (source === null) return refuseSource(context, api, reference);
  await planClone(context, api, source);
}

async function planClone(context: GuestPlan, api: Session, source: Source): Promise<void> {
  const { kind, config } = context;
  const base = kind.clonedConfig(source, config.clone?.storage);
  const [before, after] = [kind.draft(api, base), kind.draft(api, base)];
  patchWired(kind.settings, kind.plan.wanted(context), after);
  if (config.node === null) context.set("node", source.node);
  const dataNeeds = await kind.plan.predictData(context, api, after);
  await kind.plan.check(context, api, { node: context.planned.node, before, after, source }, []);
  const needs = [...createNeeds(context), ...dataNeeds, ...(await moveNeeds(context, api, source))];
  await checkChangePrivileges(context, api, { before, after, from: source, needs });
  // While the target storage is unknown, nothing about the volumes is known.
  if (config.clone?.storage !== undefined) predict(context, before, after);
  planInherited(context, before, after);
  planNewOutputs(context, after);
}

/** A clone whose volumes are not on shared storages is created on the node of its source, and then migrated. */
async function moveNeeds(context: GuestPlan, api: Session, source: Source): Promise<Need[]> {
  const { node } = context.planned;
  if (node === undefined || node === source.node) return [];
  const { target } = await directTarget(queryOf(context, api), source, node);
  return target === undefined ? [onGuest(heldBy(context), guestPrivileges.migrate, ["node"])] : [];
}

async function planNew(context: GuestPlan, api: Session): Promise<void> {
  const { kind, config, report } = context;
  const [before, after] = [kind.draft(api, {}), kind.draft(api, kind.emptyConfig)];
  patchWired(kind.settings, kind.plan.wanted(context), after);
  const { nodes } = await api.inventory.snapshot();
  if (config.node === null) {
    const [only, ...others] = [...nodes.keys()];
    if (only !== undefined && others.length === 0) context.set("node", only);
    else {
      const names = [...nodes.keys()].join(", ");
      report.error("node", "Node needed", `Choose the node of the ${kind.noun}: ${names}.`);
    }
  }
  const dataNeeds = await kind.plan.predictData(context, api, after);
  await kind.plan.check(context, api, { node: context.planned.node, before, after }, []);
  const needs = [...createNeeds(context), ...dataNeeds];
  await checkChangePrivileges(context, api, { before, after, from: "nothing", needs });
  predict(context, before, after);
  context.set("inherited", []);
  planNewOutputs(context, after);
}

/** PVE hides guests that the caller may not see. Without the privilege to see the source, that is reported. */
async function refuseSource(context: GuestPlan, api: Session, reference: string): Promise<void> {
  const { kind, report } = context;
  if (api.planned.has(kind.plannedAs, reference)) return;
  const path = /^\d+$/.test(reference) ? `/vms/${reference}` : "/vms";
  const { seeSource, cloneSource } = guestPrivileges;
  const needs = [seeSource, cloneSource].map((privilege) => onPath(privilege, path, ["clone", "template"]));
  const symptom = `Template \`${reference}\` is not visible: it does not exist, or it is hidden from ${api.identity}.`;
  if (!(await checkPrivileges({ report, api, needs, symptom }))) return;
  const { summary, detail } = await whyNoSource(queryOf(context, api), reference);
  report.error("clone.template", summary, detail);
}

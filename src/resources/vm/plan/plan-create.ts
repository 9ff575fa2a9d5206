import { type ConfigDraft, checkPrivileges, type Members, type Need, parseWired, patchWired, type Session } from "#kit";
import { queryOf } from "../../guest/context.ts";
import { directTarget } from "../../guest/lifecycle/clone.ts";
import { configuredSlots } from "../../guest/lifecycle/remember.ts";
import { findSource, type Source, whyMissing } from "../../guest/lifecycle/source.ts";
import { fill } from "../../guest/plan/fill.ts";
import { guardName, guardVmid } from "../../guest/plan/guards.ts";
import { createNeeds, heldBy } from "../../guest/plan/needs/guest-needs.ts";
import { onGuest, onPath } from "../../guest/plan/needs/need.ts";
import { planHa, statusUnderHa } from "../../guest/plan/plan-ha.ts";
import { settings } from "../attributes.ts";
import type { VmPlan } from "../contexts.ts";
import { vmPrivileges } from "../privileges.ts";
import { families } from "../slots.ts";
import { checkSlots } from "./checks/slots.ts";
import { checkChange } from "./checks.ts";
import { foreseeImage, settleImage, withTexts } from "./plan-data.ts";
import { planAddresses, planMacs } from "./plan-outputs.ts";
import { clonedConfig, emptyConfig } from "./predict.ts";
import { checkChangePrivileges } from "./privileges.ts";

/** The plan of a new VM: what it inherits is shown, and what cannot work is refused here rather than half way. */
export async function planCreate(context: VmPlan, api: Session): Promise<void> {
  const { config } = context;
  if (config.name) api.planned.add("vm", config.name);
  if (config.vmid) api.planned.add("vm", config.vmid);
  await guardName(context, api);
  await guardVmid(context, api);
  planHa(context);
  const reference = config.clone === null ? null : config.clone?.template;
  if (reference === undefined) return;
  if (reference === null) return planNew(context, api);
  const source = await findSource(queryOf(context, api), reference);
  if (source === null) return refuseSource(context, api, reference);
  await planClone(context, api, source);
}

async function planClone(context: VmPlan, api: Session, source: Source): Promise<void> {
  const { config } = context;
  const base = clonedConfig(source, config.clone?.storage);
  const [before, after] = [api.draft(base), api.draft(base)];
  patchWired(settings, withTexts(context), after);
  if (config.node === null) context.set("node", source.node);
  const dataNeeds = await foreseeImage(context, api, after);
  checkSlots(context, before, []);
  await checkChange(context, api, { node: context.planned.node, before, after, source });
  const needs = [...createNeeds(context), ...dataNeeds, ...(await moveNeeds(context, api, source))];
  await checkChangePrivileges(context, api, { before, after, from: source, needs });
  // Where the disks will lie is then not known, and so nothing of them.
  if (config.clone?.storage !== undefined) predict(context, before, after);
  const configured = configuredSlots(context.kind, config);
  const devices = before.slots(families.inherited);
  context.set(
    "inherited",
    devices.filter((slot) => !configured.includes(slot) && after.has(slot)),
  );
  planOutputs(context, after);
}

/** A clone whose volumes are not on shared storages is made where its source is, and moved after. */
async function moveNeeds(context: VmPlan, api: Session, source: Source): Promise<Need[]> {
  const { node } = context.planned;
  if (node === undefined || node === source.node) return [];
  const { target } = await directTarget(queryOf(context, api), source, node);
  return target === undefined ? [onGuest(heldBy(context), vmPrivileges.migrate, ["node"])] : [];
}

async function planNew(context: VmPlan, api: Session): Promise<void> {
  const { config, report } = context;
  const [before, after] = [api.draft({}), api.draft(emptyConfig)];
  patchWired(settings, withTexts(context), after);
  const { nodes } = await api.inventory.snapshot();
  if (config.node === null) {
    const [only, ...others] = [...nodes.keys()];
    if (only !== undefined && others.length === 0) context.set("node", only);
    else report.error("node", "Node needed", `Say where the VM shall be made: ${[...nodes.keys()].join(", ")}.`);
  }
  const dataNeeds = await foreseeImage(context, api, after);
  await checkChange(context, api, { node: context.planned.node, before, after });
  const needs = [...createNeeds(context), ...dataNeeds];
  await checkChangePrivileges(context, api, { before, after, from: "nothing", needs });
  predict(context, before, after);
  context.set("inherited", []);
  planOutputs(context, after);
}

/** PVE itself puts these together for a new VM (qemu-server: src/PVE/API2/Qemu.pm, `create_vm`). */
function unforeseeable({ config }: VmPlan, before: ConfigDraft, after: ConfigDraft): string[] {
  const hasNewCdrom = Object.keys(config.cdroms ?? {}).some((slot) => !before.has(slot));
  const isWindows = /^w/.test(config.os_type ?? String(after.raw("ostype") ?? ""));
  return [
    ...(config.clone === null || hasNewCdrom ? ["boot_order"] : []),
    ...(config.os_type === undefined || (isWindows && config.os_type !== null) ? ["machine"] : []),
    ...(config.template === undefined ? ["template"] : []),
  ];
}

function predict(context: VmPlan, before: ConfigDraft, after: ConfigDraft): void {
  const predicted = parseWired(settings, after);
  const hidden = unforeseeable(context, before, after);
  const foreseen = Object.fromEntries(Object.entries(settings).filter(([name]) => !hidden.includes(name)));
  const { config, planned } = context;
  fill(context, { attributes: foreseen, path: [], config: config as Members, planned: planned as Members, predicted });
  settleImage(context, after);
}

function planOutputs(context: VmPlan, after: ConfigDraft): void {
  const { config } = context;
  if (config.pool === null) context.set("pool", null);
  context.set("unused_disks", {});
  context.set("pending", []);
  if (config.power !== undefined && config.template !== undefined) {
    const isStarted = !config.template && (config.power === null || config.power === "running");
    context.set("status", isStarted && statusUnderHa(context) !== "stopped" ? "running" : "stopped");
  }
  // A clone gets MAC addresses of its own, but for those that are written.
  planMacs(context, after, (slot) => !config.networks?.[slot]?.mac);
  const { status } = context.planned;
  const isUp = status === undefined ? undefined : status === "running";
  planAddresses(context, after, { isUp, isStarted: true });
}

/** PVE hides what a caller may not see without a word, so who lacks the right to look is told that, not what is missing. */
async function refuseSource(context: VmPlan, api: Session, reference: string): Promise<void> {
  const { report } = context;
  if (api.planned.has("vm", reference)) return;
  const path = /^\d+$/.test(reference) ? `/vms/${reference}` : "/vms";
  const needs = (["seeSource", "cloneSource"] as const).map((right) =>
    onPath(vmPrivileges[right], path, ["clone", "template"]),
  );
  const symptom = `No template \`${reference}\` is to be seen: it does not exist, or it is hidden from ${api.identity}.`;
  if (!(await checkPrivileges({ report, api, needs, symptom }))) return;
  const { summary, detail } = await whyMissing(queryOf(context, api), reference);
  report.error("clone.template", summary, detail);
}

import { type ConfigDraft, type Members, type Need, parseWired, patchWired, type Session } from "#kit";
import { settings } from "../attributes.ts";
import { fileOf, isCdrom, storageOf } from "../blocks/drive-slots.ts";
import type { VmPlan } from "../contexts.ts";
import { configuredSlots } from "../lifecycle/remember.ts";
import { findSource, type Source, whyMissing } from "../lifecycle/source.ts";
import { addressOutputs, configuredAddresses } from "../outputs.ts";
import { checkChange } from "./checks.ts";
import { fill } from "./fill.ts";
import { guardName, guardVmid } from "./guards.ts";
import { foreseeImage, settleImage } from "./plan-data.ts";
import { haNeeds, planHa, statusUnderHa } from "./plan-ha.ts";
import { clonedConfig, emptyConfig } from "./predict.ts";
import { checkChangePrivileges, vmNeed } from "./privileges.ts";

/** The plan of a new VM: what it inherits is shown, and what cannot work is refused here rather than half way. */
export async function planCreate(context: VmPlan, api: Session): Promise<void> {
  const { config } = context;
  if (config.name) api.expected.add("vm", config.name);
  if (config.vmid) api.expected.add("vm", config.vmid);
  await guardName(context, api);
  await guardVmid(context, api);
  planHa(context);
  const reference = config.clone === null ? null : config.clone?.template;
  if (reference === undefined) return;
  if (reference === null) return planNew(context, api);
  const source = await findSource(api, reference);
  if (source === null) return refuseSource(context, api, reference);
  await planClone(context, api, source);
}

async function planClone(context: VmPlan, api: Session, source: Source): Promise<void> {
  const { config, planned } = context;
  const base = clonedConfig(source, config.clone?.storage);
  const [before, after] = [api.draft(base), api.draft(base)];
  patchWired(settings, planned as Members, after);
  if (config.node === null) context.set("node", source.node);
  const dataNeeds = await foreseeImage(context, api, after);
  await checkChange(context, api, { node: context.planned.node, before, after });
  const needs = [...cloneNeeds(context, source, before), ...dataNeeds, ...haNeeds(context)];
  await checkChangePrivileges(context, api, { patch: after.patch, needs });
  // Where the disks will lie is then not known, and so nothing of them.
  if (config.clone?.storage !== undefined) predict(context, before, after);
  const configured = configuredSlots(config);
  const devices = before.slots({ ...driveAndDeviceFamilies });
  context.set(
    "inherited",
    devices.filter((slot) => !configured.includes(slot) && after.has(slot)),
  );
  planOutputs(context, after);
}

/** What a clone takes besides its settings (qemu-server: src/PVE/API2/Qemu.pm, `clone_vm`). */
function cloneNeeds(context: VmPlan, source: Source, base: ConfigDraft): Need[] {
  const { config } = context;
  const disks = base.slots({ scsi: 30, virtio: 15, sata: 5, ide: 3, efidisk: 0, tpmstate: 0 });
  const storages = disks.filter((slot) => !isCdrom(base, slot)).flatMap((slot) => storageOf(fileOf(base, slot)) ?? []);
  return [
    { privileges: ["VM.Clone"], paths: [`/vms/${source.vmid}`], attribute: ["clone", "template"] },
    vmNeed(context, ["VM.Allocate"], null),
    ...storages.map((storage) => ({
      privileges: ["Datastore.AllocateSpace"],
      paths: [`/storage/${storage}`],
      attribute: ["clone"],
    })),
    ...(config.power === null || config.power === "running" ? [vmNeed(context, ["VM.PowerMgmt"], null)] : []),
  ];
}

const driveAndDeviceFamilies = {
  scsi: 30,
  virtio: 15,
  sata: 5,
  ide: 3,
  efidisk: 0,
  tpmstate: 0,
  net: 31,
  hostpci: 15,
  usb: 13,
  serial: 3,
  parallel: 2,
  virtiofs: 9,
  audio: 0,
  rng: 0,
};

async function planNew(context: VmPlan, api: Session): Promise<void> {
  const { config, planned, report } = context;
  const [before, after] = [api.draft({}), api.draft(emptyConfig)];
  patchWired(settings, planned as Members, after);
  const { nodes } = await api.inventory.snapshot();
  if (config.node === null) {
    const [only, ...others] = [...nodes.keys()];
    if (only !== undefined && others.length === 0) context.set("node", only);
    else report.error("node", "Node needed", `Say where the VM shall be made: ${[...nodes.keys()].join(", ")}.`);
  }
  const dataNeeds = await foreseeImage(context, api, after);
  await checkChange(context, api, { node: context.planned.node, before, after });
  const needs = [vmNeed(context, ["VM.Allocate"], null), ...dataNeeds, ...haNeeds(context)];
  await checkChangePrivileges(context, api, { patch: after.patch, needs });
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
  if (config.agent === undefined || config.agent?.wait !== null || !areAddressesKnown(config.networks)) return;
  const outputs = addressOutputs(configuredAddresses(after));
  context.set("ip_addresses", outputs.ip_addresses);
  context.set("ipv4_address", outputs.ipv4_address);
  context.set("ipv6_address", outputs.ipv6_address);
}

function areAddressesKnown(networks: VmPlan["config"]["networks"]): boolean {
  if (networks === undefined) return false;
  return Object.values(networks ?? {}).every(
    (card) =>
      card !== undefined &&
      card.ipv4 !== undefined &&
      card.ipv6 !== undefined &&
      card.ipv4?.address !== undefined &&
      card.ipv6?.address !== undefined,
  );
}

async function refuseSource({ report }: VmPlan, api: Session, reference: string): Promise<void> {
  if (api.expected.has("vm", reference)) return;
  const { summary, detail } = await whyMissing(api, reference);
  report.error("clone.template", summary, detail);
}

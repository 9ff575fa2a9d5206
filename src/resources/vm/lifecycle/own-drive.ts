import type { ConfigDraft, Report } from "#kit";
import type { GuestAddress } from "#pve";
import type { GuestContext } from "../../guest/context.ts";
import { revertPending, sendPatch } from "../../guest/lifecycle/configure.ts";
import { removeVolume } from "../../guest/lifecycle/remove-volume.ts";
import { storageOf } from "../../guest/volume.ts";
import { ownDrive } from "../blocks/cloud-init-drive.ts";
import { fileOf, isCloudInitVolume } from "../blocks/drive-slots.ts";
import type { VmUpdate } from "../contexts.ts";
import { eject } from "./cloud-init-data.ts";

interface Context extends GuestContext {
  readonly report: Report;
}

/**
 * PVE frees the volume of its own cloud-init drive when something else takes its place, and is silent when the storage
 * refuses. What is left has a fixed name, so that no such drive could be made again (qemu-server: src/PVE/QemuServer.pm,
 * `vmconfig_register_unused_drive`).
 */
export async function removeLeftDrive(
  context: Context,
  vm: GuestAddress,
  before: ConfigDraft,
  after: ConfigDraft,
): Promise<void> {
  const slot = ownDrive(before);
  const volume = slot === null ? "" : fileOf(before, slot);
  if (slot === null || isNamed(after, volume)) return;
  await removeUnused(context, vm, storageOf(volume) ?? "");
}

/** The same for a drive that an interrupted run has left, before one is created again. */
export async function clearWayForDrive(context: Context, vm: GuestAddress, now: ConfigDraft, after: ConfigDraft) {
  const slot = ownDrive(after);
  if (slot === null || ownDrive(now) !== null) return;
  await removeUnused(context, vm, storageOf(fileOf(after, slot)) ?? "");
}

interface Change {
  readonly present: ConfigDraft;
  readonly foreseen: ConfigDraft;
  readonly isRunning: boolean;
}

/**
 * PVE makes no second cloud-init drive before the first is gone, and forgets the volume of one whose disc is changed while
 * the VM runs (qemu-server: src/PVE/API2/Qemu.pm, `create_disks`). Returns whether the configuration was changed for that.
 */
export async function vacateDrive(
  context: Context,
  vm: GuestAddress,
  { present, foreseen, isRunning }: Change,
): Promise<boolean> {
  const [from, to] = [ownDrive(present), ownDrive(foreseen)];
  if (from === null || from === to) return false;
  if (isRunning && foreseen.has(from)) await eject(context, vm, from);
  else if (!isRunning && to !== null) await sendPatch(context, vm, { set: {}, delete: [from] });
  else return false;
  return true;
}

/**
 * PVE does not show a drive whose removal waits for a restart. Meanwhile it makes no new one, whose volume would have the
 * same name, and forgets the volume if another disc takes the slot. Where one of both is wanted, the removal is taken back.
 * Returns what the VM has become.
 */
export async function takeBackDrive(context: VmUpdate, vm: GuestAddress, before: ConfigDraft): Promise<ConfigDraft> {
  const { api, changes, desired, signal } = context;
  if (ownDrive(before) !== null || !(changes.has("cloud_init") || changes.has("cdroms"))) return before;
  const slot = ownDrive(api.draft((await api.qemu.getConfig(vm, { current: true }, { signal })).options));
  const isWanted = slot !== null && (Boolean(desired.cloud_init?.slot) || slot in (desired.cdroms ?? {}));
  if (slot === null || !isWanted || before.has(slot)) return before;
  await revertPending(context, vm, [slot]);
  return api.draft((await api.qemu.getConfig(vm, {}, { signal })).options);
}

async function removeUnused(context: Context, vm: GuestAddress, storage: string): Promise<void> {
  const { api, signal, report } = context;
  const filter = { content: "images", vmid: vm.vmid };
  const volumes = await api.storage.listVolumes(vm.node, storage, filter, { signal });
  const own = volumes.find(({ volid }) => isCloudInitVolume(volid));
  if (own === undefined) return;
  // While a change waits for a restart, the old drive is still in use; PVE frees it then.
  const { options } = await api.qemu.getConfig(vm, { current: true }, { signal });
  if (isNamed(api.draft(options), own.volid) || (await removeVolume(context, vm.node, own.volid))) return;
  const text = `VM ${vm.vmid} does not use it any more, but its storage refuses to remove it.`;
  report.warning(null, `Volume ${own.volid} is left behind`, text);
}

const isNamed = (draft: ConfigDraft, volume: string): boolean =>
  Object.values(draft.config).some((line) => String(line).split(",")[0] === volume);

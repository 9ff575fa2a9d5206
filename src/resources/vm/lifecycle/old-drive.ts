import type { ConfigDraft } from "#kit";
import type { GuestAddress } from "#pve";
import type { GuestCreate } from "../../guest/context.ts";
import { removeVolume } from "../../guest/lifecycle/remove-volume.ts";
import { storageOf } from "../../guest/volume.ts";
import { ownDrive } from "../blocks/cloud-init-drive.ts";
import { fileOf, isCloudInitVolume } from "../blocks/drive-slots.ts";

/** The storage on which such a VM has its cloud-init drive, whether that exists already or is to be made. */
export function storageOfDrive(draft: ConfigDraft): string[] {
  const slot = ownDrive(draft);
  return slot === null ? [] : [storageOf(fileOf(draft, slot)) ?? ""];
}

/**
 * Makes a VM, and once more without the cloud-init drive that an earlier VM of that number has left. PVE destroys a VM even if a
 * volume of it stays behind, and names that drive after the VMID, so the next VM of that number could never be made. It holds
 * nothing but what PVE generates; disks that were left get other names, and are left alone.
 */
export async function withoutOldDrive<T>(
  context: GuestCreate,
  vm: GuestAddress,
  storages: readonly string[],
  make: () => Promise<T>,
): Promise<T> {
  try {
    return await make();
  } catch (reason) {
    if (!context.api.isCloudInitDriveInTheWay(reason, vm.vmid)) throw reason;
    if (!(await removeOldDrives(context, vm, storages))) throw reason;
    return make();
  }
}

async function removeOldDrives(
  context: GuestCreate,
  { node, vmid }: GuestAddress,
  storages: readonly string[],
): Promise<boolean> {
  const { api, signal, report } = context;
  await api.cluster.checkId(vmid, { signal }); // Whose number it is, his is the drive.
  const lists = await Promise.all(
    [...new Set(storages)].map((storage) => api.storage.listVolumes(node, storage, { vmid }, { signal })),
  );
  const drives = lists.flat().filter(({ volid }) => isCloudInitVolume(volid));
  for (const { volid } of drives) {
    if (!(await removeVolume(context, node, volid))) return false;
    report.warning(
      null,
      "Old cloud-init drive removed",
      `${volid} of an earlier VM ${vmid} was in the way of the new one. It held nothing but generated settings.`,
    );
  }
  return drives.length > 0;
}

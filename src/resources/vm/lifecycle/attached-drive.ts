import type { ConfigDraft } from "#kit";
import type { GuestAddress } from "#pve";
import type { GuestContext } from "../../guest/context.ts";
import { ownDrive } from "../blocks/cloud-init-drive.ts";

/**
 * Slot of the cloud-init drive that a running VM has. PVE does not show a drive whose removal waits for a restart, and
 * another disc may be put into its slot meanwhile.
 */
export async function attachedDrive({ api, signal }: GuestContext, vm: GuestAddress, shown: ConfigDraft) {
  return ownDrive(shown) ?? ownDrive(api.draft((await api.qemu.getConfig(vm, { current: true }, { signal })).options));
}

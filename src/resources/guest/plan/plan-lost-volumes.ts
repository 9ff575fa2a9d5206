import { enumerate } from "#kit";
import type { GuestPlan, GuestState } from "../context.ts";
import { isForeign, storageOf } from "../volume.ts";
import { warnOfReplacement } from "./plan-replacement.ts";

/**
 * PVE removes the volumes of a container one after the other, and stops at one that cannot be removed (pve-container: src/PVE/LXC.pm,
 * `destroy_lxc_container`). If the configuration has the container again after that, it needs new volumes.
 */
export async function planLostVolumes(context: GuestPlan, prior: GuestState): Promise<void> {
  const { kind, privateState } = context;
  // A provider that died in the attempt has recorded nothing.
  if (!privateState.isDestroyBegun && !privateState.isForgotten) return;
  const lost = await lostVolumes(context, prior);
  if (lost.length === 0) return;
  const removed = enumerate(lost);
  context.setUnknown("id");
  context.replace(
    "id",
    `A destroy of ${kind.noun} ${prior.vmid} has removed ${removed}, and then failed. What is left of it is destroyed, too.`,
  );
  warnOfReplacement(context, prior);
}

/** Volumes in the state that their storages do not have. */
async function lostVolumes({ kind, api, signal }: GuestPlan, prior: GuestState): Promise<string[]> {
  const { node, vmid } = prior;
  if (!api || node === undefined || vmid === undefined) return [];
  const own = kind.volumesIn(prior).flatMap(({ volume }) => volume?.volume ?? []);
  const byStorage = Map.groupBy(
    own.filter((volume) => !isForeign(volume, vmid)),
    storageOf,
  );
  const lost = [...byStorage].map(async ([storage, volumes]) => {
    if (storage === null) return [];
    const listed = await api.storage.listVolumes(node, storage, { vmid }, { signal }).catch(() => null);
    return listed === null ? [] : volumes.filter((volume) => !listed.some(({ volid }) => volid === volume));
  });
  return (await Promise.all(lost)).flat();
}

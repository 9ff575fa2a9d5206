import { oncePerRunFor, type Session, storagePlaces } from "#kit";
import type { Change } from "../../../guest/plan/checks/change.ts";
import { ifAllowed } from "../../../guest/plan/checks/facts.ts";
import { storageOf } from "../../../guest/volume.ts";
import type { ContainerPlan } from "../../contexts.ts";
import { isMountSlot, volumeAt } from "../../slots.ts";

const jobs = oncePerRunFor((api) => ifAllowed(api.replication.list()));

/** PVE refuses lines of mounts that a replication job of the container cannot copy (pve-container: src/PVE/API2/LXC/Config.pm). */
export async function checkReplication(context: ContainerPlan, api: Session, { after }: Change): Promise<void> {
  const { prior, report } = context;
  const written = Object.keys(after.patch.set).filter(
    (slot) => isMountSlot(slot) && Number(after.read({ option: slot, key: "replicate" }) ?? 1) !== 0,
  );
  if (prior?.vmid === undefined || written.length === 0) return;
  for (const slot of written) {
    const storage = storageOf(volumeAt(after, slot));
    if (storage !== null && (await canReplicate(api, storage))) continue;
    const job = (await jobs(api))?.find(({ guest }) => guest === prior.vmid);
    if (job === undefined) return;
    report.error(
      ["mounts", slot],
      "Mount cannot be replicated",
      `Replication job \`${job.id}\` copies the volumes of container ${prior.vmid}, and ${storage === null ? "a path of the host" : `a volume of storage \`${storage}\``} cannot be copied. Set \`replicate = false\` for this mount, use a ZFS pool or a shared storage, or remove the job.`,
    );
  }
}

/** Shared storages need no copies. One that is not seen is not judged. */
async function canReplicate(api: Session, storage: string): Promise<boolean> {
  const [place] = await storagePlaces(api, storage);
  return place === undefined || place.shared === true || place.plugintype === "zfspool";
}

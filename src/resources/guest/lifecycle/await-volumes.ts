import type { Attachment } from "#kit";
import { attachmentsOf, type ConfigDraft, Failure, type Session, showGuest } from "#kit";
import type { GuestContext } from "../context.ts";
import { placeOf } from "../plan/foreign-volumes.ts";
import { isForeign } from "../volume.ts";

export interface Attaching extends GuestContext {
  readonly desired: object;
}

/**
 * Waits until no other guest has the volumes that this one gets: a volume that two guests write to is lost. The guest that
 * gives it up may be changed or destroyed in the same run, in whichever order Terraform begins.
 */
export async function awaitVolumes(context: Attaching, vmid: number | null, before?: ConfigDraft): Promise<void> {
  const { api, signal } = context;
  for (const { path, place } of await volumesToGet(context, vmid, before)) {
    const [holder] = await attachmentsOf(api).untilFree(place, vmid, signal);
    if (holder !== undefined) throw await stillAttached(api, place.volume, holder, path);
  }
}

/** Volumes of no guest, or of another one, that this guest does not have yet. */
export async function volumesToGet({ kind, api, desired }: Attaching, vmid: number | null, before?: ConfigDraft) {
  const present = before ? before.slots(kind.families.volumes).map((slot) => kind.volumeAt(before, slot)) : [];
  const { node } = desired as { readonly node?: string };
  const wanted = kind
    .volumesIn(desired)
    .map(({ path, volume }) => ({ path: [...path, "volume"], file: volume?.volume }));
  const foreign = wanted.filter(({ file }) => file && isForeign(file, vmid) && !present.includes(file));
  return Promise.all(
    foreign.map(async ({ path, file = "" }) => ({ path, place: await placeOf(api, file ?? "", node) })),
  );
}

async function stillAttached(api: Session, volume: string, { vmid, slot, type }: Attachment, path: string[]) {
  const guest = await api.inventory.locate(vmid);
  const label = guest === null ? `guest ${vmid}` : `${await showGuest(api, guest)} (${vmid})`;
  const tool = type === "lxc" ? "proxmox_container" : "proxmox_vm";
  const detail = `\`${volume}\` is still \`${slot}\` of ${label}, and two guests that write to one disk destroy its data. Nothing was attached. If that guest gives the disk up in this apply, let this one wait for it: \`depends_on = [${tool}.NAME]\`; or apply again. A disk whose removal waits for a restart is free after that restart.`;
  return new Failure("Disk is attached to another guest", detail, { path });
}

import { alternatives, enumerate, Failure, isPveError, type Session, storagePlaces } from "#kit";
import { parseArchiveName } from "../archive-name.ts";
import type { GuestQuery } from "../context.ts";
import { volumesOn } from "../plan/checks/facts.ts";
import { storageOf } from "../volume.ts";

/** A backup, with the configuration of the guest in it. */
export interface Archive {
  readonly volume: string;
  readonly options: Readonly<Record<string, string>>;
}

/** Several guests may be made from one backup; its configuration is read once. */
export async function readArchive({ api, signal }: GuestQuery, node: string, volume: string): Promise<Archive> {
  const read = () => api.backup.extractConfig(node, volume, { signal });
  try {
    return { volume, options: await api.store.remember(`configuration in ${volume} on ${node}`, read) };
  } catch (reason) {
    await refuseMissing(api, node, volume, reason);
    throw reason;
  }
}

/** Online nodes that have the storage of a backup, and those of them that show the backup. */
export async function placesOf(api: Session, volume: string): Promise<{ asked: string[]; found: string[] }> {
  const storage = storageOf(volume) ?? "";
  const { isOnline } = await api.inventory.snapshot();
  const places = (await storagePlaces(api, storage)).filter(({ node }) => isOnline(node));
  const asked = places.map(({ node }) => node);
  const shows = await Promise.all(
    asked.map(async (node) => {
      const volumes = await volumesOn.showing(api, [node, storage, "backup"], has(volume));
      return volumes !== null && has(volume)(volumes);
    }),
  );
  return { asked, found: asked.filter((_, index) => shows[index]) };
}

export const has =
  (volume: string) =>
  (volumes: readonly { readonly volid: string }[] | null): boolean =>
    volumes?.some(({ volid }) => volid === volume) ?? false;

/** The message about a backup that is not on the node, the same in plan and apply. */
export async function missingArchive(api: Session, node: string, volume: string) {
  const { found } = await placesOf(api, volume);
  const elsewhere = found.filter((place) => place !== node);
  const summary = "No such backup";
  if (elsewhere.length > 0) {
    const cure = `Set \`node = "${elsewhere[0]}"\`, or use a backup on a shared storage.`;
    return { summary, detail: `\`${volume}\` is not on ${node}, but on ${enumerate(elsewhere)}. ${cure}` };
  }
  const { type, vmid } = parseArchiveName(volume) ?? {};
  const volumes = (await volumesOn(api, node, storageOf(volume) ?? "", "backup")) ?? [];
  const ofGuest = volumes.filter(({ volid }) => {
    const other = parseArchiveName(volid);
    return other?.type === type && (vmid === null || other?.vmid === vmid);
  });
  const others = ofGuest.map(({ volid }) => volid).sort();
  const newest = `The data source \`proxmox_backups\` shows what there is.`;
  return { summary, detail: `\`${volume}\` does not exist on ${node}. ${alternatives(volume, others)} ${newest}` };
}

/** If the backup was removed since the plan, that is the cause. */
export async function refuseMissing(api: Session, node: string, volume: string, cause: unknown): Promise<void> {
  if (!isPveError(cause) || isPveError(cause, "unreachable", "timeout", "permission")) return;
  const volumes = await volumesOn.showing(api, [node, storageOf(volume) ?? "", "backup"], (seen) => !has(volume)(seen));
  if (volumes === null || has(volume)(volumes)) return;
  const { summary, detail } = await missingArchive(api, node, volume);
  throw new Failure(summary, detail, { path: "restore.archive", cause });
}

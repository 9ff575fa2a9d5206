import { attachmentsOf, bytesOf, type ConfigDraft, isSharedStorage, persistentDisks, type Session, sizeOf } from "#kit";
import type { GuestPlan, GuestState } from "../context.ts";
import { isForeign, storageOf } from "../volume.ts";

export interface ForeignVolume {
  readonly slot: string;
  readonly path: readonly string[];
  readonly volume: string;
}

/** Volumes in a configuration, a plan or a state that do not belong to the guest, and therefore outlive it. */
export const foreignVolumes = (
  { kind }: Pick<GuestPlan, "kind">,
  tree: object,
  vmid: number | null | undefined,
): ForeignVolume[] =>
  kind.volumesIn(tree).flatMap(({ slot, path, volume }) => {
    const file = volume?.volume;
    return file && isForeign(file, vmid) ? [{ slot, path, volume: file }] : [];
  });

/** The volume, with the node that alone has it. */
export const placeOf = async (api: Session, volume: string, node: string | undefined) => ({
  volume,
  node: (await isSharedStorage(api, storageOf(volume) ?? "")) ? null : (node ?? null),
});

/** Volumes that stay attached, or are attached. */
export async function planKeptVolumes(context: GuestPlan, api: Session, prior: GuestState): Promise<void> {
  const { vmid, node } = prior;
  if (vmid === undefined) return;
  const before = foreignVolumes(context, prior, vmid).map(({ volume }) => volume);
  attachmentsOf(api).unclaim(vmid);
  for (const one of volumesKept(context, vmid)) {
    if (before.includes(one.volume)) planSize(context, api, one);
    await claim(context, api, one, node);
  }
}

function volumesKept(context: GuestPlan, vmid: number): ForeignVolume[] {
  const isLeaving = (slot: string) => context.leaving.some(({ path }) => path[1] === slot);
  return foreignVolumes(context, context.planned, vmid).filter(({ slot }) => !isLeaving(slot));
}

/** Volumes that become free for other guests; those in slots that wait for a restart, or stay, do not in this run. */
export function planReleasedVolumes(context: GuestPlan, api: Session, prior: GuestState, staying: readonly string[]) {
  const { vmid } = prior;
  if (vmid === undefined) return;
  const kept = volumesKept(context, vmid).map(({ volume }) => volume);
  const released = foreignVolumes(context, prior, vmid).filter(
    ({ slot, volume }) => !kept.includes(volume) && !staying.includes(slot),
  );
  attachmentsOf(api).release(vmid, new Set(released.map(({ volume }) => volume)));
}

/** Stands for a guest that does not exist yet: Terraform may plan it more than once. */
export const claimantOf = ({ name, vmid }: { name?: string | null | undefined; vmid?: number | null | undefined }) =>
  name || vmid ? `${name ?? ""} ${vmid ?? ""}` : null;

/** Refuses a volume that another guest of this configuration gets. */
export async function claim(context: GuestPlan, api: Session, one: ForeignVolume, node?: string): Promise<void> {
  const { kind, config, prior, privateState, report } = context;
  const by = prior?.vmid ?? privateState.replacing ?? claimantOf(config) ?? context;
  const label = `\`${one.slot}\` of ${config.name ? `"${config.name}"` : `${kind.noun} ${prior?.vmid ?? ""}`.trim()}`;
  const other = attachmentsOf(api).claim(await placeOf(api, one.volume, node), by, label);
  if (other === null) return;
  const detail = `\`${one.volume}\` is also ${other}. Two guests that write to one disk destroy its data: attach it to one of them.`;
  report.error([...one.path, "volume"], "Disk is attached twice", detail);
}

/** A `proxmox_disk` that grows in the same run: the guest shows what its size will be. */
export function planSize(context: GuestPlan, api: Session, { path, slot, volume }: ForeignVolume): void {
  const disk = persistentDisks(api).get(volume);
  if (!disk?.isGrown) return;
  const bytes = bytesOf(disk.size) ?? 0;
  // A size that is no multiple of 4 MiB may be rounded up by the storage.
  const isExact = bytes % (4 * 2 ** 20) === 0;
  const now = bytesOf(sizeIn(context, context.prior ?? {}, slot) ?? "");
  if (sizeIn(context, context.config, slot) === null && isExact && now !== null && now !== bytes) {
    context.set([...path, "size"], sizeOf(bytes));
  }
}

/** The size of a `proxmox_disk` is configured there, and nowhere else. */
export function checkSize(context: GuestPlan, api: Session, { path, slot, volume }: ForeignVolume): void {
  const disk = persistentDisks(api).get(volume);
  const written = sizeIn(context, context.config, slot);
  if (disk === undefined || typeof written !== "string" || bytesOf(written) === bytesOf(disk.size)) return;
  const detail = `\`${volume}\` is a \`proxmox_disk\` of ${disk.size}, and its size is configured there. Remove \`size\` here.`;
  context.report.error([...path, "size"], "Two sizes of one disk", detail);
}

const sizeIn = ({ kind }: GuestPlan, tree: object, slot: string) =>
  kind.volumesIn(tree).find((one) => one.slot === slot)?.volume?.size;

/** Slots of a guest that hold volumes which do not belong to it. */
export const foreignSlots = ({ kind }: Pick<GuestPlan, "kind">, draft: ConfigDraft, vmid: number) =>
  draft
    .slots(kind.families.volumes)
    .map((slot) => ({ slot, volume: kind.volumeAt(draft, slot) }))
    .filter(({ volume }) => isForeign(volume, vmid));

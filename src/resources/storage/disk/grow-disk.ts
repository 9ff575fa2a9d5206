import { attachmentsOf, growAttached, growLoose, isPveError, isSharedStorage, type Report, type Session } from "#kit";
import { nodeToAsk } from "../file-place.ts";
import { type DiskId, partsOf } from "./disk-volume.ts";

interface Growth {
  readonly api: Session;
  readonly id: DiskId;
  readonly desired: { readonly size: string };
  readonly changes: ReadonlySet<string>;
  readonly privateState: { size: string | null };
  readonly report: Report;
  readonly signal: AbortSignal;
}

const attempts = 3;

/** Grows the disk through the VM that has it, or through a VM that exists only for that. */
export async function growDisk(context: Growth): Promise<void> {
  const { api, changes, desired, privateState } = context;
  const attachments = attachmentsOf(api);
  const isLarger = changes.has("size");
  if (isLarger || changes.has("vmid")) {
    await attachments.work.during(async () => {
      for (let attempt = 1; !(await tryToGrow(context, isLarger, attempt === attempts)); attempt++);
    });
  }
  privateState.size = desired.size;
}

/** Returns false if the VM is gone, or has the disk no more: another resource of this run may destroy it, or detach the disk. */
async function tryToGrow(
  { api, id, desired, report, signal }: Growth,
  isLarger: boolean,
  isLast: boolean,
): Promise<boolean> {
  const attachments = attachmentsOf(api);
  const { storage = "" } = partsOf(id.volume) ?? {};
  const place = { volume: id.volume, node: (await isSharedStorage(api, storage)) ? null : id.node };
  const holders = (await attachments.of(place)).filter(({ snapshot }) => snapshot === null);
  // A VM that an interrupted run has left is removed first.
  if (holders.some(({ isTemporary }) => isTemporary)) await attachments.untilFree(place, null, signal);
  const holder = holders.find(({ isTemporary, type }) => !isTemporary && type === "qemu");
  if (!isLarger) return true;
  const { volume } = id;
  const { size } = desired;
  if (holder === undefined) {
    const node = (await nodeToAsk(api, id.node, storage)) ?? id.node;
    await growLoose(api, { node, volume, size, report, signal });
    return true;
  }
  try {
    await growAttached(api, holder, { slot: holder.slot, size, signal });
    return true;
  } catch (reason) {
    if (isLast || !isPveError(reason)) throw reason;
    await attachments.changed(holder.vmid);
    const isThere = (await attachments.in(holder.vmid, place))?.slot === holder.slot;
    if (isThere && reason.kind !== "not_found") throw reason;
    return false;
  }
}

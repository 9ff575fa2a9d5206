import { Failure, isPveError, type Session } from "#kit";
import type { CloneRequest, GuestAddress, GuestConfig } from "#pve";
import type { VmCreate } from "../contexts.ts";
import { isVolumeSlot } from "../slots.ts";
import { addressOf } from "./address.ts";
import { markOf, withMark } from "./mark.ts";
import { storageOfDrive, withoutOldDrive } from "./old-drive.ts";
import { findSource, type Source, whyMissing } from "./source.ts";

export interface MadeVm extends GuestAddress {
  readonly config: GuestConfig;
}

/** What `create` passes on to `settle`. */
export interface NewVm extends MadeVm {
  /** Created by this run. Otherwise it was found: left by an interrupted run, or adopted. */
  readonly isFresh: boolean;
}

/** Makes the VM from another one, marked as unfinished by the very call that makes it. */
export async function cloneVm(context: VmCreate, vmid: number, mark: string): Promise<MadeVm> {
  const { api, desired, signal } = context;
  const source = await findSource(api, desired.clone?.template ?? "", signal);
  if (source === null) {
    const { summary, detail } = await whyMissing(api, desired.clone?.template ?? "");
    throw new Failure(summary, detail, { path: "clone.template" });
  }
  const request = cloneRequest(context, source, vmid, mark);
  const target = await directTarget(api, source, desired.node);
  const storages = request.storage ? [request.storage] : [];
  const operation = {
    source: addressOf(source),
    request: { ...request, ...target },
    storages,
    isSourceLocked: source.isRunning,
    signal,
  };
  const vm = { node: target.target ?? source.node, vmid };
  const drives = [...storages, ...storageOfDrive(api.draft(source.config.options))];
  const cloned = await withoutOldDrive(context, vm, drives, () =>
    api.operations.clone(operation).catch((reason: unknown) =>
      // The answer was lost: the mark and the task list tell what became of it.
      proved(context, source, vm, mark, reason),
    ),
  );
  const config = cloned?.config ?? (await api.qemu.getConfig(vm, {}, { signal }));
  return { ...vm, config };
}

function cloneRequest({ desired }: VmCreate, source: Source, newid: number, mark: string): CloneRequest {
  const { clone, name, pool, description } = desired;
  const isFull = clone?.full ?? (clone?.storage || clone?.format ? true : null);
  return {
    newid,
    description: withMark(description === undefined ? source.config.description : description, mark),
    ...(name && { name }),
    ...(pool && { pool }),
    ...(isFull !== null && { full: isFull }),
    ...(clone?.storage && { storage: clone.storage }),
    ...(clone?.format && { format: clone.format }),
    ...(clone?.snapshot && { snapname: clone.snapshot }),
    ...(clone?.bandwidth_limit && { bwlimit: clone.bandwidth_limit }),
  };
}

/** PVE clones to another node only where every volume is on a shared storage; otherwise the clone is moved after. */
export async function directTarget(
  api: Session,
  source: Source,
  node: string | undefined,
): Promise<{ target?: string }> {
  if (node === undefined || node === source.node) return {};
  const { storages } = await api.inventory.snapshot();
  const shared = new Set(storages.filter((entry) => entry.shared).map((entry) => entry.storage));
  const volumes = Object.entries(source.config.options).filter(([option]) => isVolumeSlot(option));
  const used = volumes.flatMap(([, line]) => /^([^:,]+):/.exec(line)?.[1] ?? []);
  return used.every((storage) => shared.has(storage)) ? { target: node } : {};
}

async function proved(
  { api, signal }: VmCreate,
  source: Source,
  vm: GuestAddress,
  mark: string,
  reason: unknown,
): Promise<null> {
  if (!isPveError(reason) || !reason.mayHaveHappened) throw reason;
  const outcome = await api.proveOutcome({
    node: source.node,
    sentAt: reason.details.sentAt ?? api.serverTime(),
    task: { type: "qmclone", id: String(source.vmid) },
    findMark: api.findMark(api.qemu, vm, (config) => markOf(config.description) === mark),
    signal,
  });
  if (outcome.kind === "done") return null;
  throw outcome.kind === "failed" ? outcome.error : reason;
}

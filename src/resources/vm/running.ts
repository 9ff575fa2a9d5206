import type { ConfigDraft, Session } from "#kit";
import type { GuestAddress } from "#pve";

/** A running VM: as it runs, and the options whose change waits for a restart. */
export interface RunningVm {
  readonly running: ConfigDraft;
  readonly leftovers: readonly string[];
  /** Those of them that the restart removes. */
  readonly removed: readonly string[];
}

export async function readRunning(api: Session, vm: GuestAddress, signal?: AbortSignal): Promise<RunningVm> {
  const options = await api.qemu.listPending(vm, { signal });
  const values = options.flatMap(({ key, value }) => (value === undefined ? [] : [[key, value] as const]));
  const waiting = options.filter(({ pending, delete: removed }) => pending !== undefined || removed !== undefined);
  const removed = waiting.filter((option) => option.delete !== undefined);
  return {
    running: api.draft(Object.fromEntries(values)),
    leftovers: waiting.map(({ key }) => key),
    removed: removed.map(({ key }) => key),
  };
}

import { isPveError, repeatableTask, type Session, step } from "#kit";
import type { GuestAddress, TaskResult } from "#pve";
import { untilCarriedOut } from "../await-ha.ts";
import type { GuestBase } from "../base.ts";
import type { Migration } from "../calls.ts";
import type { ReportingContext } from "../context.ts";
import { removeVolume } from "./remove-volume.ts";

interface Migrating extends Omit<ReportingContext, "kind"> {
  readonly kind: GuestBase;
}

/** Runs a task; `submit` starts it. */
type Run = (what: string, submit: () => Promise<string>, isDone: () => Promise<boolean>) => Promise<TaskResult | null>;

/** Moves a guest to another node, together with its local volumes. */
export async function migrateGuest(
  context: Migrating,
  guest: GuestAddress,
  migration: Migration,
  run: Run = (what, submit, isDone) =>
    repeatableTask(context.api, guest, { what, submit, isDone, signal: context.signal }),
): Promise<GuestAddress> {
  const { kind, api, log, signal } = context;
  const { target } = migration;
  const submit = () => kind.calls(api).migrate(guest, migration, { signal });
  const what = `migrate ${kind.noun} ${guest.vmid} to ${target}`;
  const isThere = () => isOn(api, guest.vmid, target);
  await step(log, "migrate", { vmid: guest.vmid, detail: `from ${guest.node} to ${target}` }, () =>
    run(what, submit, isThere)
      .then((task) => task && untilCarriedOut(context, guest, task, isThere))
      .catch((reason: unknown) => removeLeftCopies(context, guest, reason)),
  );
  api.inventory.forget();
  return { ...guest, node: target };
}

async function isOn(api: Session, vmid: number, node: string): Promise<boolean> {
  api.inventory.forget();
  return (await api.inventory.locate(vmid))?.node === node;
}

/**
 * The guest has moved even if a volume cannot be removed on the old node. The task fails nevertheless, and only its log
 * names the volume (qemu-server: src/PVE/QemuMigrate.pm, `phase3_cleanup`). A copy that stays would block the next guest
 * with this VMID.
 */
async function removeLeftCopies(context: Migrating, { vmid, node }: GuestAddress, reason: unknown): Promise<void> {
  const { kind, api, report } = context;
  const lines = isPveError(reason, "task") ? (reason.details.log ?? []) : [];
  const left = lines.flatMap((line) => api.readLeftVolume(line)?.volume ?? []);
  if (left.length === 0) throw reason;
  for (const volume of left) {
    if (await removeVolume(context, node, volume)) continue;
    report.warning(
      null,
      `Volume ${volume} is left behind`,
      `${kind.title} ${vmid} has moved, but what it had on ${node} could not be removed. Remove it there when the storage allows it.`,
    );
  }
}

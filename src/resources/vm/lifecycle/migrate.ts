import { isPveError, type Logger, type Report, type Session, step } from "#kit";
import type { GuestAddress } from "#pve";
import { untilCarriedOut } from "../../guest/await-ha.ts";
import { removeVolume } from "./remove-volume.ts";

interface Migrating {
  readonly api: Session;
  readonly log: Logger;
  readonly signal: AbortSignal;
  readonly report: Pick<Report, "warning">;
}

/** Moves a VM to another node, live if it runs, with whatever it has on local storages. */
export async function migrateVm(context: Migrating, vm: GuestAddress, target: string): Promise<GuestAddress> {
  const { api, log, signal } = context;
  const request = {
    target,
    "with-local-disks": true,
    // PVE ignores it for a VM that is stopped, and refuses without it one that somebody has started this moment.
    online: true,
  };
  const submit = () => api.migration.migrate(vm, request, { signal });
  await step(log, "migrate", { vmid: vm.vmid, detail: `from ${vm.node} to ${target}` }, () =>
    api.operations
      .run(vm, { what: `migrate VM ${vm.vmid} to ${target}`, submit, signal })
      .then((task) => untilCarriedOut({ api, signal }, vm, task, async () => isOn(api, vm.vmid, target)))
      .catch((reason: unknown) => removeLeftCopies(context, vm, reason)),
  );
  api.inventory.forget();
  return { ...vm, node: target };
}

const isOn = async (api: Session, vmid: number, node: string): Promise<boolean> =>
  (await api.inventory.locate(vmid))?.node === node;

/**
 * A VM has moved even if what it had on its old node cannot be removed there; the task fails all the same, and only its log
 * tells (qemu-server: src/PVE/QemuMigrate.pm, `phase3_cleanup`). A copy that stayed would be in the way of the next VM of
 * this VMID.
 */
async function removeLeftCopies(context: Migrating, { vmid, node }: GuestAddress, reason: unknown): Promise<void> {
  const lines = isPveError(reason, "task") ? (reason.details.log ?? []) : [];
  const left = lines.flatMap((line) => context.api.readLeftVolume(line)?.volume ?? []);
  if (left.length === 0) throw reason;
  for (const volume of left) {
    if (await removeVolume(context, node, volume)) continue;
    context.report.warning(
      null,
      `Volume ${volume} is left behind`,
      `VM ${vmid} has moved, but what it had on ${node} could not be removed. Remove it there when the storage allows it.`,
    );
  }
}

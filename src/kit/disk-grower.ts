import type { Report } from "#framework";
import type { GuestAddress } from "#pve";
import type { Need } from "./permissions.ts";
import { provenTask } from "./proven-task.ts";
import { isPveError } from "./pve-error.ts";
import { watchReservation } from "./reserved-vmid.ts";
import type { Session } from "./session.ts";
import { bytesOf } from "./size.ts";

/** The description of a VM that exists only while a volume grows. */
const text = "Exists only while Terraform grows a disk that no VM has. It owns no volume and can be destroyed.";

export const isGrowerText = (description: string): boolean => description.trim() === text;

interface Growth {
  readonly node: string;
  readonly volume: string;
  readonly size: string;
  readonly report: Pick<Report, "warning">;
  readonly signal: AbortSignal;
}

/**
 * Grows a volume that no VM has: PVE grows volumes only through a VM. The VM is never started, and does not own the volume,
 * so that the volume stays when the VM is destroyed (qemu-server: src/PVE/QemuServer.pm, `destroy_vm`).
 */
export function growLoose(api: Session, { node, volume, size, report, signal }: Growth): Promise<void> {
  return api.vmids.withFreshId(async (vmid) => {
    const vm = { node, vmid };
    const findMark = async () => {
      const found = await api.qemu.findConfig(vm, { signal });
      return found && isGrowerText(found.description ?? "") ? "ours" : "absent";
    };
    const options = { vmid, name: `grow-disk-${vmid}`, description: text, scsi0: volume };
    const reservation = watchReservation({
      guest: vm,
      noun: "VM",
      tool: "qm",
      submit: () => api.qemu.create(node, options, { signal }),
      find: () => api.qemu.findConfig(vm, { signal }),
    });
    await provenTask(api, {
      what: `create VM ${vmid} to grow ${volume}`,
      node,
      guest: vm,
      task: { type: "qmcreate", id: String(vmid) },
      submit: reservation.submit,
      findMark,
      signal,
    }).catch(async (reason: unknown) => {
      const left = await reservation.leftBy(reason);
      if (left) report.warning(null, left.summary, `${left.detail}.`);
      throw reason;
    });
    try {
      await growAttached(api, vm, { slot: "scsi0", size, signal });
    } finally {
      await removeGrower(api, vm, signal);
    }
  }, signal);
}

/** What growing takes: through the VM that has the volume, or, without one, through a VM that exists only for that. */
export async function needsToGrow(
  api: Session,
  { storage, owner, vmid }: { readonly storage: string; readonly owner: number; readonly vmid: number | null },
): Promise<Need[]> {
  const guest = vmid === null ? null : await api.inventory.locate(vmid);
  const need = (privileges: string[], ...paths: string[]): Need => ({ privileges, paths, attribute: "size" });
  const onVm = (privilege: string): Need => ({
    ...need([privilege], `/vms/${guest?.vmid ?? "-"}`, ...(guest?.pool ? [`/pool/${guest.pool}`] : [])),
    grantOn: "/vms",
  });
  const space = `/storage/${storage}`;
  const resize = [onVm("VM.Config.Disk"), need(["Datastore.AllocateSpace"], space)];
  if (guest !== null) return resize;
  return [
    onVm("VM.Allocate"),
    onVm("VM.Config.Options"),
    ...resize,
    need(["Datastore.Audit", "Datastore.Allocate"], space),
    need(["Datastore.Allocate", "VM.Config.Disk"], space, `/vms/${owner}`),
  ];
}

/** Grows a volume through the VM that has it, running or not. */
export async function growAttached(
  api: Session,
  vm: GuestAddress,
  { slot, size, signal }: { readonly slot: string; readonly size: string; readonly signal: AbortSignal },
): Promise<void> {
  const submit = () => api.disks.resize(vm, { disk: slot, size }, { signal });
  const isDone = async () => {
    const { options } = await api.qemu.getConfig(vm, {}, { signal });
    const [, now = ""] = /,size=([^,]+)/.exec(String(options[slot])) ?? [];
    return bytesOf(now) === bytesOf(size) ? "ours" : "absent";
  };
  await provenTask(api, {
    what: `grow ${slot} of VM ${vm.vmid} to ${size}`,
    node: vm.node,
    guest: vm,
    task: { type: "resize", id: String(vm.vmid) },
    submit,
    findMark: isDone,
    signal,
  });
}

/** Destroys the VM that an earlier growth has used. */
export async function removeGrower(api: Session, vm: GuestAddress, signal: AbortSignal): Promise<void> {
  try {
    await provenTask(api, {
      what: `destroy VM ${vm.vmid}, which grew a disk`,
      node: vm.node,
      guest: vm,
      task: { type: "qmdestroy", id: String(vm.vmid) },
      submit: () => api.qemu.remove(vm, {}, { signal }),
      findMark: async () => ((await api.qemu.findConfig(vm, { signal })) === null ? "ours" : "absent"),
      signal,
    });
  } catch (reason) {
    if (!isPveError(reason, "not_found")) throw reason;
  }
  api.inventory.forget();
}

import { Failure, isPveError, patchWired } from "#kit";
import type { GuestAddress } from "#pve";
import { settings } from "../attributes.ts";
import type { VmCreate } from "../contexts.ts";
import type { MadeVm } from "./clone.ts";
import { markOf, withMark } from "./mark.ts";
import { storageOfDrive, withoutOldDrive } from "./old-drive.ts";

/**
 * Set after the VM exists: PVE hashes a password only then, checks tags of a new VM without looking at its pool, and
 * protects a VM from being removed although it is not complete.
 */
const laterOptions = ["cipassword", "tags", "protection"];

/** Makes a VM of its own: from nothing, from an ISO image, from imported disks. */
export async function newVm(context: VmCreate, vmid: number, mark: string): Promise<MadeVm> {
  const { api, desired, signal } = context;
  const node = desired.node ?? (await onlyNode(api));
  const draft = api.draft({});
  patchWired(settings, desired, draft);
  for (const option of laterOptions) draft.set(option, null);
  draft.set("description", withMark(desired.description, mark));
  const vm = { node, vmid };
  const request = { ...draft.patch.set, vmid, ...(desired.pool && { pool: desired.pool }) };
  let isReserved = false;
  const submit = () =>
    api.qemu.create(node, request, { signal }).catch((reason: unknown) => {
      isReserved ||= isPveError(reason, "locked") && reason.details.lock?.isOverload === true;
      throw reason;
    });
  const create = () => api.operations.run(vm, { what: `create VM ${vmid}`, submit, signal });
  await withoutOldDrive(context, vm, storageOfDrive(draft), create).catch(async (reason: unknown) => {
    if (isReserved && isPveError(reason, "exists", "locked")) await tellReserved(context, vm, reason);
    if (!isPveError(reason) || !reason.mayHaveHappened) throw reason;
    const findMark = api.findMark(api.qemu, vm, ({ description }) => markOf(description) === mark);
    const task = { type: "qmcreate", id: String(vmid) };
    const outcome = await api.proveOutcome({
      node,
      sentAt: reason.details.sentAt ?? api.serverTime(),
      task,
      findMark,
      signal,
    });
    if (outcome.kind !== "done") throw outcome.kind === "failed" ? outcome.error : reason;
  });
  return { ...vm, config: await api.qemu.getConfig(vm, {}, { signal }) };
}

/**
 * PVE claims the VMID with an empty configuration before it starts the worker, and leaves it behind when no worker starts
 * (qemu-server: src/PVE/API2/Qemu.pm, `create_vm`). Only a person on the node can remove it.
 */
async function tellReserved(
  { api, desired, report, signal }: VmCreate,
  vm: GuestAddress,
  cause: unknown,
): Promise<void> {
  const left = await api.qemu.findConfig(vm, { signal });
  if (left?.lock !== "create" || left.name !== undefined) return;
  const summary = `VMID ${vm.vmid} is left reserved`;
  const said = `The host was too busy to start the worker that creates the VM. Nothing was created, but an empty configuration with \`lock: create\` holds VMID ${vm.vmid}. Remove it on ${vm.node}: \`qm unlock ${vm.vmid} && qm destroy ${vm.vmid}\``;
  if (desired.vmid !== undefined) throw new Failure(summary, `${said}, then apply again.`, { path: "vmid", cause });
  report.warning(null, summary, `${said}. The VM is created with another VMID.`);
}

/** Where there is one node only, nobody needs to name it. */
export async function onlyNode(api: VmCreate["api"]): Promise<string> {
  const { nodes } = await api.inventory.snapshot();
  const [only, ...others] = [...nodes.keys()];
  if (only === undefined || others.length > 0) {
    throw new Failure("Node needed", `Say where the VM shall be made: ${[...nodes.keys()].join(", ")}.`, {
      path: "node",
    });
  }
  return only;
}

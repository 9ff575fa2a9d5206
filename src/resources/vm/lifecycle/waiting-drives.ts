import type { ConfigDraft } from "#kit";
import type { GuestAddress } from "#pve";
import type { GuestContext } from "../../guest/context.ts";
import { sendPatch } from "../../guest/lifecycle/configure.ts";
import { volumesToGrow, volumesToMove } from "../../guest/lifecycle/volumes.ts";
import type { VmDesired } from "../contexts.ts";

interface Context extends GuestContext {
  readonly desired: VmDesired;
}

const volumeOf = (line: unknown): string => String(line ?? "").split(",")[0] ?? "";

/**
 * A drive that an interrupted run has left with a pending line would still name the volume that it had before the move
 * (qemu-server: src/PVE/API2/Qemu.pm, `move_vm_disk`). Such lines are taken back. Returns their slots, all of whose
 * settings have to be sent again.
 */
export async function takeBackWaiting(context: Context, vm: GuestAddress, draft: ConfigDraft): Promise<string[]> {
  const { kind, api, desired, signal } = context;
  const touched = [...volumesToMove(kind, desired, draft), ...volumesToGrow(kind, desired, draft)].map(
    ({ slot }) => slot,
  );
  if (touched.length === 0) return [];
  const options = await api.qemu.listPending(vm, { signal });
  const waiting = options.flatMap(({ key, value, pending }) =>
    touched.includes(key) && pending !== undefined && volumeOf(value) === volumeOf(pending) ? [key] : [],
  );
  if (waiting.length > 0) {
    const submit = () => api.qemu.updateConfig(vm, { revert: waiting }, { signal });
    await api.operations.run<string | null>(vm, { what: `configure VM ${vm.vmid}`, submit, signal });
  }
  return waiting;
}

/**
 * A VM that was stopped from within has what waits not in effect yet, and PVE neither moves nor grows a drive that only
 * waits to be attached. Any change of a stopped VM brings everything into effect (qemu-server: src/PVE/API2/Qemu.pm).
 */
export async function attachWaiting(context: Context, vm: GuestAddress, draft: ConfigDraft): Promise<void> {
  const { kind, api, desired, signal } = context;
  const touched = [...volumesToMove(kind, desired, draft), ...volumesToGrow(kind, desired, draft)].map(
    ({ slot }) => slot,
  );
  if (touched.length === 0) return;
  const options = await api.qemu.listPending(vm, { signal });
  const absent = options.flatMap(({ key, value, pending }) =>
    touched.includes(key) && value === undefined && pending !== undefined ? [[key, pending] as const] : [],
  );
  if (absent.length > 0) await sendPatch(context, vm, { set: Object.fromEntries(absent), delete: [] });
}

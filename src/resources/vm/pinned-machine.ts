import type { ConfigDraft } from "#kit";
import { isSameMachine } from "./blocks/machine.ts";
import type { VmDesired } from "./contexts.ts";

/**
 * What is sent to a new VM. Windows does not support a machine that changes, so PVE replaces `q35` by its latest version when
 * it creates the VM (qemu-server: src/PVE/QemuServer/Machine.pm, `check_and_pin_machine_string`). That version, or the one of a
 * template, stays: `q35` again would end it.
 */
export function withPinnedMachine(desired: VmDesired, draft: ConfigDraft): VmDesired {
  const wanted = desired.machine?.type;
  const pinned = draft.read({ option: "machine", key: "type" });
  const isWindows = /^w/.test(desired.os_type ?? String(draft.raw("ostype") ?? ""));
  const isKept = isWindows && wanted && typeof pinned === "string" && isSameMachine(pinned, wanted);
  return isKept && desired.machine ? { ...desired, machine: { ...desired.machine, type: pinned } } : desired;
}

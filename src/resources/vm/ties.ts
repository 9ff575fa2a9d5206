import type { ConfigDraft } from "#kit";
import { takesEffectLive } from "./live-changes.ts";
import { families } from "./slots.ts";

/** Slots of devices by what ties them to a node. */
interface Devices {
  /** Of the node itself. */
  readonly local: readonly string[];
  /** Of a mapping, which exists on every node that it names. */
  readonly mapped: readonly string[];
}

/** The devices and options that keep a VM on its node (qemu-server: src/PVE/QemuMigrate/Helpers.pm, `check_local_resources`). */
export function tiesOf(draft: ConfigDraft, isRunning: boolean): Devices {
  const read = (option: string, key: string) => draft.read({ option, key });
  const passed = draft
    .slots({ ...families.usb, ...families.pci })
    .filter((slot) => String(read(slot, "host") ?? "").toLowerCase() !== "spice");
  const ports = draft
    .slots({ ...families.serial, ...families.parallel })
    .filter((slot) => String(draft.raw(slot)) !== "socket");
  const encrypted = isRunning ? ["amd-sev", "intel-tdx"] : [];
  return {
    local: [
      ...passed.filter((slot) => !read(slot, "mapping")),
      ...ports,
      ...["ivshmem", ...encrypted].filter((option) => draft.has(option)),
    ],
    mapped: [...passed.filter((slot) => read(slot, "mapping")), ...draft.slots(families.virtiofs)],
  };
}

/** Ties that a change ends, and that can end before the VM moves. */
export function endingTies(before: ConfigDraft, after: ConfigDraft, isRunning: boolean): string[] {
  const staying = tiesOf(after, isRunning).local;
  return tiesOf(before, isRunning).local.filter(
    (option) => !staying.includes(option) && (!isRunning || takesEffectLive(option, { running: before, after })),
  );
}

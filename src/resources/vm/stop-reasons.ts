import { bytesOf, type ConfigDraft } from "#kit";
import type { StoppingChange, StopReason } from "../guest/kind.ts";
import { isToAttach, volumesToGrow, volumesToMove } from "../guest/lifecycle/volumes.ts";
import { ownDrive } from "./blocks/cloud-init-drive.ts";
import { isCdrom } from "./blocks/drive-slots.ts";
import type { VmDesired } from "./contexts.ts";
import { hotplugFeatures } from "./live-changes.ts";
import { families, pathOfVolume } from "./slots.ts";

type Disks = VmDesired["disks"];

/** Server side: qemu-server `src/PVE/QemuServer.pm`, `src/PVE/API2/Qemu.pm`. */
export function stopReasons(change: StoppingChange): StopReason[] {
  return [...driveReasons(change), ...slotReasons(change), ...mediaReasons(change), ...memoryReasons(change)];
}

/**
 * qemu-server: src/PVE/QemuServer.pm, `clone_disk`; src/PVE/API2/Qemu.pm, `move_vm_disk` and `resize_vm`, which do not see what
 * waits: they would move or grow the disk that the slot has until the restart.
 */
function driveReasons(change: StoppingChange): StopReason[] {
  const { kind, running, exchanged, before, wanted } = change;
  const moving = volumesToMove(kind, wanted, before).map(({ slot }) => slot);
  const growing = volumesToGrow(kind, wanted, before).map(({ slot }) => slot);
  const absent = [...moving, ...growing].filter((slot) => !running.has(slot) || exchanged.includes(slot));
  return [
    ...(moving.includes("tpmstate0") && running.has("tpmstate0")
      ? [{ path: ["tpm_state", "storage"], why: "the state of a TPM cannot be moved" }]
      : []),
    ...[...new Set([...absent, ...grownWhenAttached(change)])].map((slot) => ({
      path: pathOfVolume(slot),
      why: `\`${slot}\`, which a restart will attach, cannot be moved or grown`,
    })),
  ];
}

/** Disks with content of their own are attached first, then grown: not before a restart, if they are not hotplugged. */
const grownWhenAttached = ({ kind, running, before, after, wanted }: StoppingChange): string[] =>
  Object.entries((wanted as { readonly disks?: Disks | null }).disks ?? {}).flatMap(([slot, disk]) => {
    const isGrown = Boolean(disk?.size && (disk.import_from || disk.volume));
    const isAttached = isGrown && isToAttach(kind, before, { slot, volume: disk?.volume });
    return isAttached && !kind.takesEffectLive(slot, { running, after }) ? [slot] : [];
  });

/** There is one such drive at most, and the old one stays until the VM stops (qemu-server: src/PVE/API2/Qemu.pm, `create_disks`). */
function slotReasons({ running, after }: StoppingChange): StopReason[] {
  const [from, to] = [ownDrive(running), ownDrive(after)];
  if (from === null || to === null || from === to) return [];
  return [{ path: ["cloud_init", "slot"], why: `the cloud-init drive cannot go from \`${from}\` to \`${to}\`` }];
}

/** `unable to change media type` (qemu-server: src/PVE/QemuServer.pm, `vmconfig_update_disk`). */
function mediaReasons({ running, after }: StoppingChange): StopReason[] {
  return running.slots(families.disks).flatMap((slot) => {
    if (!after.has(slot) || isCdrom(running, slot) === isCdrom(after, slot)) return [];
    const [map, why] = isCdrom(after, slot)
      ? ["cdroms", "a disk cannot become a CD drive"]
      : ["disks", "a CD drive cannot become a disk"];
    return [{ path: [map, slot], why }];
  });
}

/** What a VM has from its start cannot be taken from it (qemu-server: src/PVE/QemuServer/Memory.pm). */
function memoryReasons({ running, after }: StoppingChange): StopReason[] {
  const mib = (draft: ConfigDraft) => Number(draft.read({ option: "memory", key: "current" }) ?? 512);
  const isTooSmall = mib(after) !== mib(running) && mib(after) * 2 ** 20 < (bytesOf("1G") ?? 0);
  if (!isTooSmall || !hotplugFeatures(running).includes("memory")) return [];
  return [{ path: ["memory", "size"], why: "with memory hotplug, memory cannot fall below 1G" }];
}

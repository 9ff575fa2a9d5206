import { createHash } from "node:crypto";
import type { Guest, Section } from "../../core/world/guest.ts";
import { sectionText } from "../../guests/config-text.ts";

/** The parts of a guest that are in its configuration file. */
export type VmConfig = Pick<Guest, "config" | "pending" | "cloudinit" | "snapshots">;

/** `print_pending_delete`: forced removals have an exclamation mark. */
function pendingSection({ set, delete: remove }: VmConfig["pending"]): Section {
  const keys = Object.keys(remove).sort();
  return keys.length === 0
    ? set
    : { ...set, delete: keys.map((key) => (remove[key] === 2 ? `!${key}` : key)).join(",") };
}

/** The file as PVE writes it (`write_vm_config` in qemu-server `src/PVE/QemuServer.pm`). */
export function configText({ config, pending, cloudinit, snapshots }: VmConfig): string {
  const waiting = pendingSection(pending);
  return [
    sectionText(config),
    Object.keys(waiting).length > 0 ? `\n[PENDING]\n${sectionText(waiting, "#\n")}` : "",
    Object.keys(cloudinit).length > 0 ? `\n[special:cloudinit]\n${sectionText(cloudinit)}` : "",
    ...Object.keys(snapshots)
      .sort()
      .map((name) => `\n[${name}]\n${sectionText(snapshots[name] ?? {})}`),
  ].join("");
}

/** SHA-1 of the file: changes with every edit, including pending values and snapshots. */
export function configDigest(config: VmConfig): string {
  return createHash("sha1").update(configText(config)).digest("hex");
}

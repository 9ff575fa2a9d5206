import { createHash } from "node:crypto";
import type { Guest, Section } from "../../core/world/guest.ts";

/** The parts of a guest that its configuration file holds. */
export type VmConfig = Pick<Guest, "config" | "pending" | "cloudinit" | "snapshots">;

/** `encode_text`: control characters, `%`, `:` and everything beyond ASCII as `%XX` of its UTF-8 bytes. */
function encodeText(text: string): string {
  return [...Buffer.from(text, "utf8")]
    .map((byte) => {
      const plain = byte >= 0x20 && byte <= 0x7e && byte !== 0x25 && byte !== 0x3a;
      return plain ? String.fromCharCode(byte) : `%${byte.toString(16).toUpperCase().padStart(2, "0")}`;
    })
    .join("");
}

function descriptionLines(description: string): string {
  const lines = description.replace(/\n+$/, "").split("\n");
  return lines.map((line) => `#${encodeText(line)}\n`).join("");
}

/** One section of a guest's file: the description as comments, then the options in alphabetical order. */
export function sectionText({ description, ...options }: Section, emptyDescription = ""): string {
  const comment =
    description === undefined ? "" : description === "" ? emptyDescription : descriptionLines(description);
  const lines = Object.keys(options)
    .sort()
    .map((key) => `${key}: ${options[key]}\n`);
  return comment + lines.join("");
}

/** `print_pending_delete`: forced removals carry an exclamation mark. */
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

/** SHA-1 of the file: changes with every edit, pending values and snapshots included. */
export function configDigest(config: VmConfig): string {
  return createHash("sha1").update(configText(config)).digest("hex");
}

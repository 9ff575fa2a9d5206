import type { Report } from "#kit";
import type { GuestType } from "#pve";
import { parseArchiveName } from "../archive-name.ts";

interface Restoring {
  readonly config: { readonly restore?: { readonly archive?: string | undefined } | null | undefined };
  readonly report: Report;
}

const nouns = {
  qemu: { noun: "VM", resource: "proxmox_vm" },
  lxc: { noun: "container", resource: "proxmox_container" },
} as const;

/** A backup is restored as what it was. */
export function checkArchive({ config: { restore }, report }: Restoring, type: GuestType): void {
  const found = restore?.archive ? parseArchiveName(restore.archive)?.type : null;
  if (!found || found === type) return;
  const { noun, resource } = nouns[found];
  report.error(
    "restore.archive",
    `Backup of a ${noun}`,
    `\`${restore?.archive}\` is a backup of a ${noun}, not of a ${nouns[type].noun}. Restore it as \`${resource}\`, or choose another backup.`,
  );
}

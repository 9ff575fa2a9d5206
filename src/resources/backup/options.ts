import { bool, int, matches, oneOf, string } from "#kit";

/** Options that jobs and single backups share (pve-guest-common: src/PVE/VZDump/Common.pm). */

export const vmid = int({ min: 100, max: 999_999_999 });

export const flag = (wire: string, doc: string) => ({ type: bool(), mode: "optional", wire, doc }) as const;

export const mode = {
  type: oneOf(["snapshot", "suspend", "stop"]),
  mode: "optional",
  wire: "mode",
  doc: "`snapshot`: guests run on. `suspend`: they are suspended for a while. `stop`: VMs are shut down, backed up and started again, which is the most consistent. Left out: `snapshot`.",
} as const;

const codes: Readonly<Record<string, string>> = { none: "0", lzo: "lzo", gzip: "gzip", zstd: "zstd" };

/** PVE writes `0` for none, and understands `1` for its first choice of old. */
export const compressionCode = {
  parse: (raw: unknown) => ({ "0": "none", "1": "lzo" })[String(raw)] ?? String(raw),
  print: (name: unknown) => codes[String(name)],
};

export const compression = {
  type: oneOf(["none", "lzo", "gzip", "zstd"]),
  mode: "optional",
  wire: "compress",
  as: compressionCode,
  doc: "How backups are compressed: `zstd` is fast and good. Left out: `none`. With a Proxmox Backup Server it has no effect.",
} as const;

export const bandwidthLimit = {
  type: int({ min: 0 }),
  mode: "optional",
  wire: "bwlimit",
  doc: "How fast guests are read, in KiB/s. Left out: as the options of the cluster and the storage say.",
} as const;

export const notesTemplate = {
  type: string({
    check: matches(
      /^(?=.{1,1024}$)\S(?:[^\n]*\S)?$/,
      "one line of at most 1024 characters that is not blank; `\\n` is a new line in it",
    ),
  }),
  mode: "optional",
  wire: "notes-template",
  doc: "Notes of each backup; `{{guestname}}`, `{{vmid}}`, `{{node}}` and `{{cluster}}` are replaced. In HCL, write `{{` as it is.",
} as const;

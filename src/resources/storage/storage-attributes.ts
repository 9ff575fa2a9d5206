import { disabled, int, matches, nested, number, oneOf, prune, set, string } from "#kit";
import { contentTypes } from "./types/abilities.ts";
import { blockTypes } from "./types/block-types.ts";
import { fileTypes } from "./types/file-types.ts";
import { serverTypes } from "./types/server-types.ts";

const limit = (key: string, doc: string) =>
  ({
    type: number({ min: 0 }),
    mode: "optional",
    wire: `bwlimit/${key}`,
    doc: `${doc} Left out: no limit of its own.`,
  }) as const;

/** What every type has, then one attribute for each type. */
export const storageAttributes = {
  id: {
    type: string({
      check: matches(
        /^[A-Za-z][\w.-]*[A-Za-z0-9]$/,
        "a letter, then letters, digits, `-`, `_` or `.`, and a letter or digit at the end",
      ),
    }),
    mode: "required",
    wire: "storage",
    replace: true,
    doc: "Name of the storage in the whole cluster.",
  },
  content: {
    type: set(oneOf(contentTypes), { min: 1 }),
    mode: "optional_computed",
    keep: true,
    wire: "content",
    doc: "What may be kept there: `images` (disks of VMs), `rootdir` (of containers), `vztmpl` (container templates), `iso`, `backup`, `snippets`, `import`, or `none`. What a type cannot hold is refused in the plan. Left out: what Proxmox VE assumes for the type, such as `images` for NFS.",
  },
  nodes: {
    type: set(string(), { min: 1 }),
    mode: "optional",
    wire: "nodes",
    refers: "node",
    doc: "Nodes that have the storage. Left out: all of them.",
  },
  enabled: {
    ...disabled("disable"),
    doc: "Whether the storage is used. One that is not is not tried out when it is created. Left out: a new one is used; otherwise it stays as it is.",
  },
  prune: prune(
    "prune-backups",
    "Which backups are kept when others are made or pruned, for types that hold backups. Left out: nothing is said about it, and all are kept.",
  ),
  max_protected_backups: {
    type: int({ min: -1 }),
    mode: "optional",
    wire: "max-protected-backups",
    doc: "How many protected backups a guest may have, -1 for any number, for types that hold backups. Left out: 5, and any number for those who may change the storage.",
  },
  bandwidth_limits: {
    type: nested({
      default: limit("default", "For everything that has no limit below, in KiB/s; 0 is none."),
      clone: limit("clone", "For clones of disks, in KiB/s."),
      migration: limit("migration", "For migrations with disks, in KiB/s."),
      move: limit("move", "For disks that are moved, in KiB/s."),
      restore: limit("restore", "For backups that are restored, in KiB/s."),
    }),
    mode: "optional",
    doc: "How fast data is written, by what is done. Left out: as the options of the cluster say.",
  },
  ...fileTypes,
  ...blockTypes,
  ...serverTypes,
} as const;

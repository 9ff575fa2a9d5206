import {
  type Attributes,
  bool,
  int,
  list,
  map,
  matches,
  nested,
  nullable,
  oneOf,
  parseDuration,
  string,
  type Type,
  timeouts,
} from "#kit";
import { parseArchiveName } from "./archive-name.ts";
import type { beforeChange } from "./before-change-attribute.ts";
import type { ha } from "./ha-attribute.ts";
import type { guestSettings } from "./settings.ts";

const storageName = string({ check: matches(/^[A-Za-z][A-Za-z0-9._-]*[A-Za-z0-9]$/, "the name of a storage") });
const duration = string({
  check: (text) => (parseDuration(text) === null ? "Must be a duration such as `30s` or `2m`." : undefined),
});

/** Where a guest is: not part of its configuration. */
export const placement = (noun: string) =>
  ({
    vmid: {
      type: int({ min: 100, max: 999_999_999 }),
      mode: "optional_computed",
      keep: true,
      replace: "Names of volumes contain the VMID, and Proxmox VE cannot change it.",
      doc: "VMID; allocated when it is not given. Another one means a new object.",
    },
    node: {
      type: string(),
      mode: "optional_computed",
      keep: true,
      volatile: true,
      undo: "ignore",
      doc: `Node to run on; the template's when it is not given. Another one migrates the ${noun}. \`placement\` says what happens when others move it.`,
    },
    placement: {
      type: oneOf(["follow", "enforce"]),
      mode: "optional",
      local: true,
      doc: `What happens when an administrator or HA moves the ${noun} away from \`node\`: \`follow\` (default) accepts it, \`enforce\` plans a migration back.`,
    },
    pool: {
      type: nullable(string()),
      mode: "optional_computed",
      keep: true,
      refers: "pool",
      doc: "Resource pool.",
    },
  }) as const;

/** Of a member that says what a guest is made from. */
export const ofSource = {
  when: "if `replace_on_source_change` is set; otherwise it is ignored, with a warning",
} as const;

type Source = readonly [attribute: string, member: string];

const sourceMembers = (attribute: string, { shape }: Type): Source[] =>
  Object.entries(shape.kind === "nested" ? shape.attributes : {}).flatMap(([member, { replace }]) =>
    replace === ofSource ? [[attribute, member] as const] : [],
  );

/** Where the configuration says what a guest is made from. */
export const sourcesIn = (attributes: Attributes): Source[] =>
  Object.entries(attributes).flatMap(([attribute, { type }]) => sourceMembers(attribute, type));

/** Where it says what a single volume is made from: a map of volumes by slot, and its member. */
export const volumeSourcesIn = (attributes: Attributes): Source[] =>
  Object.entries(attributes).flatMap(([attribute, { type }]) =>
    type.shape.kind === "map" ? sourceMembers(attribute, type.shape.element) : [],
  );

const source = (noun: string) =>
  ({
    template: {
      type: string({ check: (text) => (text === "" ? "Must be a name or a VMID." : undefined) }),
      mode: "required",
      replace: ofSource,
      doc: `Name or VMID of a template, or of a ${noun}.`,
    },
    full: {
      type: bool(),
      mode: "optional",
      doc: `Copies the disks instead of linking them. Left out: a clone of a template is linked, one of another ${noun} is copied.`,
    },
    storage: {
      type: storageName,
      mode: "optional",
      refers: "storage",
      doc: "Storage for the copied disks; implies `full`.",
    },
    snapshot: { type: string(), mode: "optional", doc: "Snapshot to clone instead of the present state." },
    bandwidth_limit: { type: int({ min: 0 }), mode: "optional", doc: "KiB/s at most." },
  }) as const;

/** The guest that a new one is cloned from. `more` is what only one kind has. */
export const cloneSource = <const M extends Attributes>(noun: string, more: M) =>
  ({
    clone: {
      type: nested({ ...source(noun), ...more }),
      mode: "optional",
      local: true,
      doc: `Makes the ${noun} from a template. Read only when it is created, unless \`replace_on_source_change\`: another source is no change to a ${noun} that exists, and a warning says so.`,
    },
  }) as const;

/** The backup that a new guest is made from. `more` is what only one kind has. */
export const restoreSource = <const M extends Attributes>(noun: string, storage: string, more: M) =>
  ({
    restore: {
      type: nested({
        archive: {
          type: string({
            check: (text) =>
              parseArchiveName(text) === null
                ? `Must be the volume ID of a backup, such as \`nas:backup/vzdump-${noun === "VM" ? "qemu-101-2026_01_01-00_00_00.vma" : "lxc-101-2026_01_01-00_00_00.tar"}.zst\`.`
                : undefined,
          }),
          mode: "required",
          replace: ofSource,
          doc: `Volume ID of a backup of a ${noun}: a file of \`vzdump\` or a snapshot on a Proxmox Backup Server, such as \`data.proxmox_backups.all.newest["101"]\`.`,
        },
        storage: { type: storageName, mode: "optional", doc: `Storage for the disks. Left out: ${storage}.` },
        unique: {
          type: bool(),
          mode: "optional",
          doc: `Whether the ${noun} gets new MAC addresses${noun === "VM" ? " and a new SMBIOS UUID" : ""}. Default: no; it has those of the ${noun} that was backed up, with which it must not be connected to one network.`,
        },
        bandwidth_limit: { type: int({ min: 0 }), mode: "optional", doc: "KiB/s at most." },
        ...more,
      }),
      mode: "optional",
      local: true,
      doc: `Makes the ${noun} from a backup. What you do not write is as in the backup. Read only when it is created, as \`clone\` is: a newer archive is no change to a ${noun} that exists.`,
    },
  }) as const;

/** How the provider treats it: known to Terraform only. */
export const behaviour = (noun: string) =>
  ({
    replace_on_source_change: {
      type: bool(),
      mode: "optional",
      local: true,
      doc: `Whether another source (\`clone.template\`, \`restore.archive\`, ${noun === "VM" ? "`disks.*.import_from`" : "`image.volume`"} …) means a new ${noun}. Default: it is ignored once the ${noun} exists.`,
    },
    power: {
      type: oneOf(["running", "stopped", "unmanaged"]),
      mode: "optional",
      local: true,
      doc: `Keeps the ${noun} running or stopped.${noun === "VM" ? " A paused VM is resumed." : ""} Not given: it is started once, when it is created, and then left alone.`,
    },
    restart_policy: {
      type: oneOf(["never", "when_needed"]),
      mode: "optional",
      local: true,
      doc: `Whether to restart the ${noun} for changes that take effect only then. Default: \`never\`. Either way the plan names the changes and what happens to them.`,
    },
    shutdown: {
      type: nested({
        timeout: {
          type: duration,
          mode: "optional",
          doc: `How long the guest may take to shut down. Default: \`60s\`, and \`30s\` when the ${noun} is destroyed. \`0s\` stops it at once.`,
        },
        force: {
          type: bool(),
          mode: "optional",
          doc: `Whether a guest that takes longer is stopped hard. Default: yes. Otherwise the apply fails and the ${noun} keeps running.`,
        },
      }),
      mode: "optional",
      local: true,
      doc: `How the guest is stopped, whatever the reason: a restart (\`restart_policy\`), \`power\`, or the end of the ${noun}.`,
    },
    on_existing: {
      type: oneOf(["fail", "adopt"]),
      mode: "optional",
      local: true,
      doc: `What to do when there is a ${noun} of this name: \`fail\` (default), or \`adopt\` the only one, as an \`import\` block would. The plan names it; what is not written is left alone. Refused if more than settings would have to change (node, pool, volumes, power, HA), or if it is a linked clone of another template. If the apply fails, it is not in the state. Not together with \`create_before_destroy\`.`,
    },
    allow_duplicate_name: {
      type: bool(),
      mode: "optional",
      local: true,
      doc: `Whether another ${noun} may have the same name, when this one is created or renamed. \`create_before_destroy\` with a fixed name needs it: two ${noun}s then exist for a moment.`,
    },
    destroy: {
      type: nested({
        grace: {
          type: duration,
          mode: "optional",
          doc: "The same as `shutdown.timeout`, for the destruction only. Default: `shutdown.timeout`, else `30s`.",
        },
        purge: { type: bool(), mode: "optional", doc: "Whether jobs, HA and replication forget it too. Default: yes." },
        unreferenced_disks: {
          type: bool(),
          mode: "optional",
          doc: "Whether volumes of its VMID that no setting names are removed too. Default: no.",
        },
      }),
      mode: "optional",
      local: true,
      doc: "How it is destroyed.",
    },
    timeouts: timeouts({ create: "30m", read: "5m", update: "30m", delete: "10m" }),
  }) as const;

const status = {
  type: string(),
  mode: "computed",
  keep: true,
  volatile: true,
  instead: "Set `power`.",
  doc: "`running`, `stopped` …",
} as const;

/** What people build on. Others change it at any moment: a guest that stops, an address that is leased anew. */
export const outputs = (sourceOfAddresses: string) =>
  ({
    id: {
      type: string(),
      mode: "computed",
      keep: true,
      volatile: true,
      instead: "Set `vmid`.",
      replace: { when: "if an attempt to destroy the guest has removed some of its volumes and failed" },
      doc: "The VMID as a text, which Terraform shows in the lines of an apply: `[id=101]`. Not known before the apply of a new one, even if `vmid` is given: `replace_triggered_by` with it lets other resources follow a replacement.",
    },
    status,
    mac_addresses: {
      type: map(string()),
      mode: "computed",
      keep: true,
      volatile: true,
      instead: "Set `networks.*.mac`.",
      doc: "MAC address of each network card, by slot.",
    },
    ip_addresses: {
      type: map(list(string())),
      mode: "computed",
      keep: true,
      volatile: true,
      instead: "Set `networks.*.ipv4` and `networks.*.ipv6`.",
      doc: `Addresses of each network card, by slot: ${sourceOfAddresses}.`,
    },
    ipv4_address: {
      type: nullable(string()),
      mode: "computed",
      keep: true,
      volatile: true,
      instead: "Set `networks.*.ipv4`.",
      doc: "First routable IPv4 address; a static one is known while planning.",
    },
    ipv6_address: {
      type: nullable(string()),
      mode: "computed",
      keep: true,
      volatile: true,
      instead: "Set `networks.*.ipv6`.",
      doc: "First routable IPv6 address; a static one is known while planning.",
    },
    inherited: {
      type: list(string()),
      mode: "computed",
      keep: true,
      volatile: true,
      doc: "Slots that came with the clone or the backup and are in no map here.",
    },
    unused_disks: {
      type: map(string()),
      mode: "computed",
      keep: true,
      volatile: true,
      doc: "Volumes that are kept but not attached.",
    },
    pending: {
      type: list(string()),
      mode: "computed",
      keep: true,
      volatile: true,
      doc: "Options of Proxmox VE whose change waits for a restart.",
    },
  }) as const;

/** What the core knows of the attributes of a guest. Each kind has more. */
export type GuestAttributes = ReturnType<typeof placement> &
  ReturnType<typeof cloneSource<Record<never, never>>> &
  ReturnType<typeof restoreSource<Record<never, never>>> &
  ReturnType<typeof guestSettings> &
  ReturnType<typeof ha> &
  ReturnType<typeof beforeChange<Record<never, never>>> &
  ReturnType<typeof behaviour> &
  ReturnType<typeof outputs>;

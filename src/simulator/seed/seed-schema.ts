import { type Privilege, privileges } from "../core/access/privileges.ts";
import { nodeFormat, storageIdFormat, vmidFormat } from "../core/schema/formats.ts";
import {
  type AnySchema,
  array,
  integer,
  number,
  object,
  optional,
  string,
  type Values,
} from "../core/schema/schema.ts";
import { flag, list, note, sectionMembers, sections, text, whole } from "./section-members.ts";

const any: AnySchema = { type: "any" };

const nodeProperties = {
  name: string({ format: nodeFormat }),
  cpus: optional(integer({ minimum: 1 })),
  memory_bytes: whole,
  address: text,
  nodeid: whole,
  status: optional(string({ enum: ["online", "offline"] })),
  qemu_version: text,
  local: flag,
  subscription_level: text,
  /** Network interfaces of this node alone. */
  interfaces: optional(array(object({ iface: string(), type: string() }, { additionalProperties: true }))),
  /** Whether openvswitch-switch is installed. */
  openvswitch: flag,
  dns: optional(object({ search: text, dns1: text, dns2: text, dns3: text })),
  hosts: text,
  timezone: text,
  /** Options of the node: description, startall-onboot-delay, acme … */
  config: optional(object({}, { additionalProperties: true })),
  subscription_key: text,
  /** pveproxy-ssl.pem; its key stays where it is. */
  certificate: text,
  repositories: list({
    path: string(),
    types: array(string()),
    uris: array(string()),
    suites: array(string()),
    components: optional(array(string())),
    enabled: flag,
  }),
  /** Physical disks; without them each node has `/dev/sda`, in use, and an empty `/dev/sdb`. */
  disks: list({
    devpath: string({ pattern: "/dev/[a-zA-Z0-9/]+" }),
    size: integer({ minimum: 1 }),
    model: text,
    serial: text,
    type: optional(string({ enum: ["hdd", "nvme", "ssd"] })),
    used: text,
  }),
  /** What was made of disks: ZFS pools, volume groups, thin pools (`vg` if it has another name), directories. */
  disk_pools: list({
    type: string({ enum: ["directory", "lvm", "lvmthin", "zfs"] }),
    name: string({ format: storageIdFormat }),
    devices: optional(array(string())),
    size: whole,
    vg: text,
    raidlevel: text,
    filesystem: text,
  }),
  note,
};

const interfaceProperties = { iface: string(), type: string() };

/** Members of a storage that are not options of storage.cfg. */
export const storageFigures = [
  "enabled",
  "active",
  "total_bytes",
  "avail_bytes",
  "bytes_per_second",
  "lock_seconds",
  "note",
];

/**
 * The seed file: one JSON object, every member optional. `node` and `other_nodes` or `nodes` name the cluster's members,
 * the first one is the node that answers.
 */
export const seedProperties = {
  format: optional(integer({ minimum: 1, maximum: 1 })),
  description: text,
  version: optional(object({ version: text, release: text, repoid: text, note })),
  packages: note,
  node: optional(object(nodeProperties)),
  other_nodes: list(nodeProperties),
  nodes: list(nodeProperties),
  cluster: optional(object({ name: text, standalone: flag, options: note, note })),
  realms: sections({ realm: string(), type: string() }),
  ticket: note,
  users: list({
    userid: string(),
    enable: flag,
    expire: whole,
    password: text,
    groups: optional(array(string())),
    email: text,
    firstname: text,
    lastname: text,
    comment: text,
    totp: text,
  }),
  tokens: list({
    alias: text,
    tokenid: string(),
    userid: text,
    name: text,
    secret: string(),
    privsep: flag,
    expire: whole,
    comment: text,
    effective: note,
  }),
  groups: list({ groupid: string(), comment: text }),
  roles: optional(object({}, { additionalProperties: true })),
  builtin_roles: note,
  acl: list({
    path: string(),
    type: string({ enum: ["user", "group", "token"] }),
    ugid: string(),
    roleid: string(),
    propagate: flag,
  }),
  pools: list({
    poolid: string(),
    comment: text,
    vms: optional(array(integer({ format: vmidFormat }))),
    storage: optional(array(string({ format: storageIdFormat }))),
  }),
  storages: optional(
    array(
      object(
        {
          storage: string({ format: storageIdFormat }),
          type: string(),
          content: optional(array(string())),
          /** `0` is a line of storage.cfg; beside `active` it is what a node's list says of every storage that is not shared. */
          shared: flag,
          enabled: flag,
          active: flag,
          nodes: optional(array(string({ format: nodeFormat }))),
          total_bytes: whole,
          avail_bytes: whole,
          bytes_per_second: optional(number({ minimum: 1 })),
          lock_seconds: optional(number({ minimum: 0 })),
        },
        // Everything else is an option of storage.cfg: path, pool, vgname …
        { additionalProperties: true },
      ),
    ),
  ),
  /** By storage: a list of names, or of `{"volume": "vm-100-disk-9", "size": "8G", "node": "pve1"}`. */
  volumes: optional(object({}, { additionalProperties: true })),
  /** Volume ids, or `{"volid": "local:iso/debian.iso", "size": "700M"}`; likewise below. */
  iso_files: optional(array(any)),
  import_files: optional(array(any)),
  snippets: optional(array(any)),
  container_templates: optional(array(any)),
  backups: optional(array(any)),
  bridges: optional(array(object(interfaceProperties, { additionalProperties: true }))),
  interfaces: optional(array(object(interfaceProperties, { additionalProperties: true }))),
  guests: list({
    vmid: integer({ format: vmidFormat }),
    type: optional(string({ enum: ["qemu", "lxc"] })),
    node: optional(string({ format: nodeFormat })),
    running: flag,
    agent: flag,
    acpi: flag,
    /** Files inside the guest by path, and programs: `{"command": ["id"], "exitcode": 0, "out": "…", "seconds": 5}`. */
    files: optional(object({}, { additionalProperties: true })),
    exec: optional(array(any)),
    config: object({}, { additionalProperties: true }),
    /** Snapshots by name, oldest first, each with its configuration; changes that wait for a restart. */
    snapshots: optional(object({}, { additionalProperties: true })),
    pending: optional(object({}, { additionalProperties: true })),
    pending_delete: optional(array(string())),
  }),
  vms: note,
  templates: note,
  containers: note,
  /** What the directories behind LDAP and AD realms hold, for `sync`. */
  directories: list({
    realm: string(),
    users: list({ name: string(), firstname: text, lastname: text, email: text, comment: text }),
    groups: list({ name: string(), members: optional(array(string())) }),
  }),
  ...sectionMembers,
  tasks: note,
  unresolvable_hosts: note,
  faults: optional(array(any)),
  behaviour: optional(
    object({
      statistics_cycle_s: optional(number({ minimum: 0.1 })),
      failed_auth_delay_s: optional(number({ minimum: 0 })),
      lock_timeout_s: note,
      guest: optional(
        object(
          { acpi_shutdown_s: optional(number()), agent_answers_after_start_s: optional(number()) },
          { additionalProperties: true },
        ),
      ),
    }),
  ),
};

export type Seed = Values<typeof seedProperties>;

export function isPrivilege(name: string): name is Privilege {
  return (privileges as readonly string[]).includes(name);
}

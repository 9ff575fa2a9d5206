import { array, boolean, integer, number, object, optional, type Properties, string } from "../core/schema/schema.ts";

/*
 * Members of a seed that hold sections of configuration files. What identifies a section is named here; the rest are the
 * options of the call that creates it, by which they are checked.
 */

/** Accepted for the reader's sake, not used. */
export const note = optional({ type: "any" } as const);
export const text = optional(string());
export const flag = optional(boolean());
export const whole = optional(integer({ minimum: 0 }));
export const list = <const P extends Properties>(properties: P) => optional(array(object({ ...properties, note })));
export const sections = <const P extends Properties>(properties: P) =>
  optional(array(object({ ...properties, note }, { additionalProperties: true })));

const firewallFile = {
  options: optional(object({}, { additionalProperties: true })),
  rules: sections({ type: string(), action: string() }),
  aliases: list({ name: string(), cidr: string(), comment: text }),
  ipsets: list({
    name: string(),
    comment: text,
    entries: list({ cidr: string(), nomatch: flag, comment: text }),
  }),
};

export const sectionMembers = {
  ha_resources: sections({ sid: string({ pattern: "(?:vm|ct):\\d+" }) }),
  ha_rules: sections({ rule: string(), type: string({ enum: ["node-affinity", "resource-affinity"] }) }),
  backup_jobs: sections({ id: string() }),
  realm_sync_jobs: sections({ id: string() }),
  replication_jobs: sections({ id: string(), type: text }),
  custom_cpu_models: sections({ cputype: string() }),
  metric_servers: sections({ id: string(), type: string() }),
  notifications: sections({
    name: string(),
    type: string({ enum: ["gotify", "matcher", "sendmail", "smtp", "webhook"] }),
  }),
  acme: optional(
    object({
      accounts: list({ name: string(), contact: array(string()), directory: text, tos: text, location: text }),
      plugins: sections({ id: string(), type: string() }),
    }),
  ),
  mappings: optional(
    object({ pci: sections({ id: string() }), usb: sections({ id: string() }), dir: sections({ id: string() }), note }),
  ),
  sdn: optional(
    object({
      zones: sections({ zone: string(), type: text, status: note, bridges: note }),
      vnets: sections({ vnet: string(), zone: string() }),
      subnets: sections({ subnet: string(), vnet: string() }),
      controllers: sections({ controller: string(), type: string() }),
      fabrics: sections({ id: string(), protocol: string() }),
      fabric_nodes: sections({ fabric_id: string(), node_id: string(), protocol: string() }),
      prefix_lists: sections({ id: string() }),
      route_map_entries: sections({ "route-map-id": string(), order: integer() }),
      ipams: sections({ ipam: string(), type: string() }),
      dns: sections({ dns: string(), type: string() }),
      /** Addresses in PVE's own IPAM; those of gateways follow from the subnets. */
      addresses: list({ zone: string(), subnet: string(), ip: string(), mac: text, hostname: text, vmid: whole }),
      note,
    }),
  ),
  /** The cluster's rules, those of nodes by name and of guests by VMID. */
  firewall: optional(
    object({
      cluster: optional(
        object({ ...firewallFile, groups: list({ group: string(), comment: text, rules: firewallFile.rules }) }),
      ),
      nodes: optional(object({}, { additionalProperties: true })),
      guests: optional(object({}, { additionalProperties: true })),
      vnets: optional(object({}, { additionalProperties: true })),
      node: note,
    }),
  ),
  /** Installs Ceph, with these pools. */
  ceph: optional(
    object({
      pools: list({
        name: string(),
        size: whole,
        min_size: whole,
        pg_num: whole,
        pg_num_min: whole,
        pg_autoscale_mode: text,
        crush_rule: text,
        application: text,
        target_size: text,
        target_size_ratio: optional(number()),
      }),
      flags: optional(array(string())),
      rules: optional(array(string())),
      note,
    }),
  ),
};

/** A firewall file of a node, a guest or a vnet, whose name is the member it stands under. */
export const firewallFileProperties = firewallFile;

export type Kind = "ours" | "bpg";

/** A change, in the configuration of each provider. */
export interface Case {
  readonly name: string;
  /** What is there first; none: the change is a creation. */
  readonly before?: Readonly<Record<Kind, string>>;
  readonly after: Readonly<Record<Kind, string>>;
  /** What is counted: tasks of this type, or calls that write. */
  readonly unit: "reloadnetworkall" | "srvreload" | "calls";
  readonly bar: number;
}

const vnets: Readonly<Record<Kind, string>> = {
  ours: `
resource "proxmox_sdn_zone" "site" {
  id   = "site"
  vlan = { bridge = "vmbr0" }
}
resource "proxmox_sdn_vnet" "net" {
  count = 20
  id    = "net\${count.index}"
  zone  = proxmox_sdn_zone.site.id
  tag   = 100 + count.index
}
`,
  // Its changes take effect by a resource of their own, which has to be ordered by hand.
  bpg: `
resource "proxmox_sdn_zone_vlan" "site" {
  id     = "site"
  bridge = "vmbr0"
}
resource "proxmox_sdn_vnet" "net" {
  count = 20
  id    = "net\${count.index}"
  zone  = proxmox_sdn_zone_vlan.site.id
  tag   = 100 + count.index
}
resource "proxmox_sdn_applier" "all" {
  depends_on = [proxmox_sdn_vnet.net]
}
`,
};

const bridges: Readonly<Record<Kind, string>> = {
  ours: `
resource "proxmox_network_interface" "bridge" {
  count  = 5
  node   = "pve1"
  name   = "vmbr1\${count.index}"
  bridge = {}
}
`,
  bpg: `
resource "proxmox_network_linux_bridge" "bridge" {
  count     = 5
  node_name = "pve1"
  name      = "vmbr1\${count.index}"
}
`,
};

/** The ports of rules in their order; every fourth one refuses. */
const actionOf = (port: number): string => (port % 4 === 0 ? "DROP" : "ACCEPT");

const rules = (ports: readonly number[]): Readonly<Record<Kind, string>> => ({
  ours: `
resource "proxmox_firewall_rules" "cluster" {
  rules = [
${ports.map((port) => `    { type = "in", action = "${actionOf(port)}", proto = "tcp", dport = "${port}" },`).join("\n")}
  ]
}
`,
  bpg: `
resource "proxmox_virtual_environment_firewall_rules" "cluster" {
${ports
  .map(
    (port) =>
      `  rule {\n    type   = "in"\n    action = "${actionOf(port)}"\n    proto  = "tcp"\n    dport  = "${port}"\n  }`,
  )
  .join("\n")}
}
`,
});

const many = Array.from({ length: 300 }, (_, index) => 1000 + index);
const moved = [1010, 1120, 1250];
const stay = many.filter((port) => !moved.includes(port));
const changedRules = [1250, ...stay.slice(0, 150), 5000, 1010, ...stay.slice(150), 1120];

const address = (index: number): string => `10.${Math.floor(index / 250)}.${index % 250}.0/24`;

const set = (indexes: readonly number[]): Readonly<Record<Kind, string>> => ({
  ours: `
resource "proxmox_firewall_ipset" "networks" {
  name    = "networks"
  entries = {
${indexes.map((index) => `    "${address(index)}" = {}`).join("\n")}
  }
}
`,
  bpg: `
resource "proxmox_virtual_environment_firewall_ipset" "networks" {
  name = "networks"
${indexes.map((index) => `  cidr {\n    name = "${address(index)}"\n  }`).join("\n")}
}
`,
});

const thousands = Array.from({ length: 5000 }, (_, index) => index);

export const cases: readonly Case[] = [
  { name: "a zone with 20 vnets", after: vnets, unit: "reloadnetworkall", bar: 1 },
  { name: "five interfaces of a node", after: bridges, unit: "srvreload", bar: 1 },
  {
    name: "300 rules, one inserted in the middle and three moved",
    before: rules(many),
    after: rules(changedRules),
    unit: "calls",
    bar: 8,
  },
  {
    name: "an IP set of 5,000 networks, five removed and five added",
    before: set(thousands),
    after: set([...thousands.slice(5), 5000, 5001, 5002, 5003, 5004]),
    unit: "calls",
    bar: 12,
  },
];

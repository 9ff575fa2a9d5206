import type { Input } from "../../harness/index.ts";
import states from "./bpg-states.json" with { type: "json" };

interface Recorded {
  readonly type: string;
  readonly attributes: Readonly<Record<string, unknown>>;
}

/** What bpg's provider 0.111.1 stored when it had applied a configuration on the simulator. */
const recorded: readonly Recorded[] = states;

interface MoveRow {
  readonly from: string;
  /** The recorded state, by an attribute of it, where there are several of the type. */
  readonly which?: readonly [attribute: string, value: unknown];
  readonly to: string;
  /** What a person writes here for the same object. */
  readonly config: Readonly<Record<string, Input>>;
  /** Attributes that only the refresh after the move can tell. */
  readonly refreshed?: readonly string[];
  /** Attributes that differ from those of an object that this provider created. */
  readonly own?: readonly string[];
}

const storage = (kind: string, config: Readonly<Record<string, Input>>, refreshed?: readonly string[]): MoveRow => ({
  from: `proxmox_storage_${kind}`,
  to: "proxmox_storage",
  config,
  ...(refreshed && { refreshed }),
});

const images = ["images"];

/** What bpg's provider writes to a storage where nothing is given. */
const directories = { create_base_path: true, create_subdirs: true };

/** bpg stores Proxmox VE's defaults as if they were written, so what is set is left to the refresh. */
const firewall = (from: string, to: string, config: MoveRow["config"], refreshed: readonly string[]): MoveRow => ({
  from: `proxmox_virtual_environment_${from}`,
  to: `proxmox_firewall_${to}`,
  config,
  refreshed,
});

const firewallRows: readonly MoveRow[] = [
  {
    ...firewall("firewall_alias", "alias", { name: "office", cidr: "198.51.100.0/24", comment: "in town" }, [
      "cidr",
      "comment",
      "reference",
    ]),
    which: ["name", "office"],
  },
  {
    ...firewall("firewall_alias", "alias", { vmid: 9000, name: "db", cidr: "10.0.0.5" }, ["cidr", "reference"]),
    which: ["name", "db"],
  },
  firewall(
    "firewall_ipset",
    "ipset",
    {
      name: "admins",
      comment: "who may",
      entries: { "10.0.0.0/24": { comment: "lab" }, "10.0.0.9": { nomatch: true } },
    },
    ["comment", "entries", "reference"],
  ),
  firewall(
    "cluster_firewall_security_group",
    "security_group",
    { name: "web", comment: "servers", rules: [{ type: "in", action: "ACCEPT", macro: "HTTPS", comment: "first" }] },
    ["comment", "rules"],
  ),
  firewall(
    "firewall_rules",
    "rules",
    {
      vmid: 9000,
      rules: [
        { type: "in", action: "ACCEPT", proto: "tcp", dport: "22", source: "10.0.0.0/8", log: "info", comment: "ssh" },
        { security_group: "web", iface: "net0" },
      ],
    },
    ["vmid", "rules"],
  ),
  firewall("firewall_options", "options", { guest: { vmid: 9000, dhcp: true, enabled: true, policy_in: "DROP" } }, [
    "guest",
  ]),
  firewall(
    "cluster_firewall",
    "options",
    { cluster: { enabled: false, policy_in: "DROP", log_ratelimit: { enabled: true, burst: 9, rate: "5/second" } } },
    ["cluster"],
  ),
  {
    ...firewall("node_firewall", "options", { node: { node: "pve1", enabled: true, log_level_in: "info" } }, ["node"]),
    from: "proxmox_node_firewall",
  },
];

/** In the order in which they can be created. */
const staged = (from: string, to: string, config: MoveRow["config"], more: Partial<MoveRow> = {}): MoveRow => ({
  from: `proxmox_${from}`,
  to: `proxmox_${to}`,
  config,
  refreshed: ["applied"],
  ...more,
});

const peers = ["10.0.0.1", "10.0.0.2"];

/** In the order of their references: what a row creates stays. */
const networkRows: readonly MoveRow[] = [
  staged("sdn_zone_simple", "sdn_zone", { id: "nat", ipam: "pve", simple: { dhcp: "dnsmasq" } }),
  staged("sdn_zone_vlan", "sdn_zone", { id: "site", nodes: ["pve1", "pve2"], mtu: 1400, vlan: { bridge: "vmbr0" } }),
  staged("sdn_zone_qinq", "sdn_zone", {
    id: "double",
    qinq: { bridge: "vmbr0", service_vlan: 100, service_vlan_protocol: "802.1ad" },
  }),
  staged("sdn_zone_vxlan", "sdn_zone", { id: "tunnel", vxlan: { peers } }),
  staged("sdn_controller_evpn", "sdn_controller", { id: "evpn", evpn: { asn: 65_000, peers } }),
  staged(
    "sdn_zone_evpn",
    "sdn_zone",
    { id: "routed", evpn: { controller: "evpn", vrf_vxlan: 1000, exit_nodes: ["pve1"], advertise_subnets: true } },
    { refreshed: ["applied", "evpn"] },
  ),
  staged("sdn_vnet", "sdn_vnet", { id: "web", zone: "site", tag: 20, alias: "Web servers" }),
  staged("virtual_environment_sdn_vnet", "sdn_vnet", { id: "guests", zone: "nat" }),
  staged("sdn_subnet", "sdn_subnet", {
    ...{ vnet: "guests", cidr: "10.30.0.0/24", gateway: "10.30.0.1", snat: true },
    dhcp_ranges: [{ start: "10.30.0.100", end: "10.30.0.199" }],
  }),
  staged("sdn_fabric_openfabric", "sdn_fabric", {
    id: "one",
    ip_prefix: "10.1.0.0/24",
    openfabric: { hello_interval: 5 },
  }),
  staged("sdn_fabric_ospf", "sdn_fabric", { id: "two", ip_prefix: "10.2.0.0/24", ospf: { area: "0" } }),
  staged(
    "sdn_fabric_node_openfabric",
    "sdn_fabric_node",
    { fabric: "one", node: "pve1", protocol: "openfabric", ip: "10.1.0.1", interfaces: { eth1: {}, eth2: {} } },
    { refreshed: ["applied", "interfaces"] },
  ),
  staged(
    "sdn_fabric_node_ospf",
    "sdn_fabric_node",
    { fabric: "two", node: "pve2", protocol: "ospf", ip: "10.2.0.2", interfaces: { eth3: {} } },
    { refreshed: ["applied", "interfaces"] },
  ),
  staged("network_linux_bridge", "network_interface", {
    ...{ node: "pve1", name: "vmbr7", ipv4: { address: "10.7.0.1/24" }, comment: "lab" },
    bridge: { vlan_aware: true },
  }),
  staged("network_linux_vlan", "network_interface", { node: "pve1", name: "vmbr7.40", mtu: 1400, vlan: {} }),
  staged("network_linux_bond", "network_interface", {
    ...{ node: "pve1", name: "bond7" },
    bond: { slaves: ["eth1", "eth2"], mode: "active-backup", primary: "eth1" },
  }),
];

export const moveRows: readonly MoveRow[] = [
  { from: "proxmox_virtual_environment_group", to: "proxmox_group", config: { id: "ops", comment: "on call" } },
  {
    from: "proxmox_virtual_environment_role",
    to: "proxmox_role",
    config: { id: "Ops", privileges: ["VM.Audit", "VM.Console"] },
  },
  {
    from: "proxmox_virtual_environment_user",
    to: "proxmox_user",
    config: {
      id: "ann@pve",
      comment: "first",
      email: "ann@example.com",
      first_name: "Ann",
      last_name: "Other",
      groups: ["ops"],
      expire: "2040-01-01T00:00:00Z",
    },
  },
  {
    from: "proxmox_virtual_environment_pool",
    to: "proxmox_pool",
    config: { id: "prod", comment: "what counts" },
    refreshed: ["storages"],
  },
  {
    from: "proxmox_pool_membership",
    which: ["type", "vm"],
    to: "proxmox_pool_member",
    config: { pool: "prod", vmid: 9000 },
  },
  {
    from: "proxmox_pool_membership",
    which: ["type", "storage"],
    to: "proxmox_pool_member",
    config: { pool: "prod", storage: "nas" },
  },
  {
    from: "proxmox_acl",
    to: "proxmox_acl",
    config: { path: "/vms", role: "Ops", group: "ops", propagate: false },
  },
  {
    from: "proxmox_user_token",
    to: "proxmox_token",
    config: {
      user: "ann@pve",
      name: "ci",
      comment: "pipeline",
      expire: "2039-01-01T00:00:00Z",
      privilege_separation: true,
    },
    own: ["value"],
  },
  {
    from: "proxmox_haresource",
    to: "proxmox_ha_resource",
    config: { sid: "vm:9000", comment: "watched", state: "stopped", max_restart: 2, max_relocate: 3 },
  },
  {
    from: "proxmox_harule",
    to: "proxmox_ha_rule",
    config: {
      name: "near",
      type: "node-affinity",
      resources: ["vm:9000"],
      nodes: { pve1: 2, pve2: 0 },
      strict: true,
      comment: "first",
    },
  },
  {
    from: "proxmox_metrics_server",
    which: ["type", "graphite"],
    to: "proxmox_metric_server",
    config: {
      id: "graph",
      server: "192.0.2.1",
      port: 2003,
      graphite: { path: "site.pve", protocol: "tcp", mtu: 1400 },
    },
  },
  {
    from: "proxmox_metrics_server",
    which: ["type", "influxdb"],
    to: "proxmox_metric_server",
    config: {
      id: "influx",
      server: "192.0.2.2",
      port: 8086,
      enabled: false,
      influxdb: {
        protocol: "https",
        bucket: "b",
        organization: "o",
        token: "tok-secret",
        verify_certificate: false,
      },
    },
  },
  {
    from: "proxmox_metrics_server",
    which: ["type", "opentelemetry"],
    to: "proxmox_metric_server",
    config: {
      id: "otel",
      server: "192.0.2.3",
      port: 4318,
      opentelemetry: { protocol: "http", path: "/v1/metrics", timeout: 9, compression: "none" },
    },
  },
  {
    from: "proxmox_hardware_mapping_dir",
    to: "proxmox_hardware_mapping",
    config: { name: "share", comment: "media", dir: { nodes: { pve1: { path: "/srv" }, pve2: { path: "/srv" } } } },
  },
  {
    from: "proxmox_hardware_mapping_pci",
    to: "proxmox_hardware_mapping",
    config: {
      name: "gpu",
      pci: {
        mdev: true,
        nodes: {
          pve1: {
            devices: [
              {
                path: "0000:01:00.0",
                device_id: "8086:1521",
                iommu_group: 14,
                subsystem_id: "8086:0001",
                description: "spare",
              },
            ],
          },
        },
      },
    },
  },
  {
    from: "proxmox_hardware_mapping_usb",
    to: "proxmox_hardware_mapping",
    config: { name: "stick", usb: { nodes: { pve1: { device_id: "0951:1666", path: "1-2" } } } },
  },
  {
    from: "proxmox_realm_ldap",
    to: "proxmox_realm",
    config: {
      id: "corp",
      comment: "directory",
      ldap: {
        server: "192.0.2.20",
        port: 636,
        mode: "ldaps",
        base_dn: "dc=example,dc=com",
        user_attribute: "uid",
        bind_dn: "cn=reader,dc=example,dc=com",
        password: "ldap-secret",
        filter: "(objectClass=person)",
        sync_attributes: { email: "mail", firstname: "givenName" },
        sync_defaults: { scope: "both", enable_new: true },
        case_sensitive: true,
        verify_certificate: false,
      },
    },
  },
  {
    from: "proxmox_realm_openid",
    to: "proxmox_realm",
    config: {
      id: "sso",
      openid: {
        issuer_url: "https://id.example.com",
        client_id: "pve",
        client_key: "openid-secret",
        autocreate: true,
        username_claim: "email",
        groups_autocreate: false,
        groups_overwrite: false,
        query_userinfo: false,
      },
    },
  },
  storage("directory", {
    id: "attic",
    content: ["iso", "backup"],
    nodes: ["pve1"],
    prune: { keep_last: 3 },
    max_protected_backups: 4,
    dir: { path: "/srv/attic", shared: true, ...directories },
  }),
  storage("nfs", {
    id: "nfs1",
    enabled: false,
    content: images,
    nfs: { server: "192.0.2.9", export: "/export", options: "vers=4.2", preallocation: "off", ...directories },
  }),
  storage("cifs", {
    id: "cifs1",
    enabled: false,
    content: images,
    cifs: {
      server: "192.0.2.9",
      share: "pve",
      username: "u",
      password: "cifs-secret",
      domain: "EXAMPLE",
      subdir: "/sub",
      ...directories,
    },
  }),
  storage("lvm", { id: "lvm1", content: images, lvm: { volume_group: "vg1", safe_remove: true, shared: true } }),
  storage("lvmthin", { id: "thin1", content: images, lvmthin: { volume_group: "vg1", thin_pool: "data" } }),
  storage("zfspool", { id: "zfs1", content: images, zfspool: { pool: "tank/vms", block_size: "16k", sparse: true } }, [
    "zfspool",
  ]),
  storage("pbs", {
    id: "pbs1",
    enabled: false,
    content: ["backup"],
    pbs: {
      server: "192.0.2.10",
      datastore: "store",
      username: "backup@pbs",
      password: "pbs-secret",
      namespace: "prod",
      fingerprint: "09:54:ef:58:b6:4f:3c:6d:0e:6c:0f:2e:d1:a0:7e:35:09:54:ef:58:b6:4f:3c:6d:0e:6c:0f:2e:d1:a0:7e:35",
    },
  }),
  {
    from: "proxmox_backup_job",
    which: ["id", "nightly"],
    to: "proxmox_backup_job",
    config: {
      id: "nightly",
      schedule: "21:00",
      storage: "nas",
      all: true,
      mode: "snapshot",
      compression: "zstd",
      prune: { keep_last: 3, keep_weekly: 4 },
      notes_template: "{{guestname}}",
    },
  },
  {
    from: "proxmox_backup_job",
    which: ["id", "some"],
    to: "proxmox_backup_job",
    config: {
      id: "some",
      schedule: "sat 03:00",
      storage: "nas",
      vmids: [9000, 9001],
      enabled: false,
      mailto: ["ann@example.com"],
      mail_notification: "failure",
    },
  },
  {
    from: "proxmox_replication",
    to: "proxmox_replication",
    config: { id: "104-0", target: "pve2", schedule: "*/30", comment: "first", rate: 10 },
  },
  ...firewallRows,
  ...networkRows,
];

export function stateOf({ from, which: [attribute, value] = ["", undefined] }: Pick<MoveRow, "from" | "which">) {
  const found = recorded.find(({ type, attributes }) => type === from && attributes[attribute] === value);
  if (found === undefined) throw new Error(`no state of ${from} was recorded`);
  return found.attributes;
}

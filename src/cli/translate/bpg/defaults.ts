import { raw } from "../conversions.ts";
import type { Translation } from "../translation.ts";

/** Attributes here, and the expressions that they have where a configuration for bpg's provider gives none. */
type Defaults = Readonly<Record<string, string>>;

const under = (object: string, values: Defaults): Defaults =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [`${object}.${name}`, value]));

const folders = { create_base_path: "true", create_subdirs: "true" };

const silent = (...names: readonly string[]): Defaults => Object.fromEntries(names.map((name) => [name, '"nolog"']));

/**
 * bpg's provider writes the defaults of its schemas to the cluster, where they would be undone if nothing were written here. Values that
 * Proxmox VE does not store are not in this list.
 */
const defaults: Readonly<Record<string, Defaults>> = {
  storage_cifs: under("cifs", folders),
  storage_directory: under("dir", { ...folders, shared: "true" }),
  storage_lvm: under("lvm", { safe_remove: "false", shared: "false" }),
  storage_nfs: under("nfs", folders),
  realm_ldap: under("ldap", { user_attribute: '"uid"', case_sensitive: "true", verify_certificate: "false" }),
  realm_openid: under("openid", {
    autocreate: "false",
    groups_autocreate: "false",
    groups_overwrite: "false",
    query_userinfo: "false",
  }),
  network_linux_bond: under("bond", { mode: '"balance-rr"' }),
  acme_dns_plugin: under("dns", { validation_delay: "30" }),
  sdn_zone_qinq: under("qinq", { service_vlan_protocol: '"802.1q"' }),
  sdn_zone_evpn: under("evpn", {
    advertise_subnets: "false",
    disable_arp_nd_suppression: "false",
    exit_nodes_local_routing: "false",
  }),
  node_firewall: under("node", {
    enabled: "true",
    ...silent("log_level_forward", "log_level_in", "log_level_out"),
    ndp: "true",
    nf_conntrack_max: "262144",
    nf_conntrack_tcp_timeout_established: "432000",
    nftables: "false",
    nosmurfs: "true",
    ...silent("smurf_log_level", "tcp_flags_log_level"),
  }),
  cluster_firewall: under("cluster", {
    enabled: "false",
    ebtables: "false",
    policy_in: '"DROP"',
    policy_out: '"ACCEPT"',
    policy_forward: '"ACCEPT"',
  }),
  firewall_options: under("guest", {
    dhcp: "false",
    enabled: "false",
    ipfilter: "false",
    ...silent("log_level_in", "log_level_out"),
    macfilter: "true",
    ndp: "false",
    policy_in: '"DROP"',
    policy_out: '"ACCEPT"',
    radv: "true",
  }),
};

/** Writes what a configuration for bpg's provider leaves out of this type, and the cluster has nevertheless. */
export function writeDefaults({ out, setting }: Translation): void {
  for (const [path, value] of Object.entries(defaults[setting.entry.name] ?? {})) {
    const [object = "", name = ""] = path.split(".");
    const holder = out.at([object]);
    if (!holder.entries.has(name)) holder.set(name, raw(value));
  }
}

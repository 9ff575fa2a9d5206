import { type Grants, grantsFor, onlyGrantable } from "#kit";
import { objects, settings } from "../../registry.ts";
import { type CapabilityName, lifeCycle } from "./capabilities.ts";

/** Firewalls of the cluster, of nodes, of guests and of vnets. */
const firewall: Grants = {
  "/": ["Sys.Audit", "Sys.Modify"],
  "/sdn/zones": ["SDN.Allocate"],
  "/vms": ["VM.Audit", "VM.Config.Network"],
};

const disks: Grants = { "/": ["Sys.Audit", "Sys.Modify"] };

/** What resources without a definition take: capabilities of their own, or privileges by path. */
const written: Readonly<Record<string, readonly CapabilityName[] | Grants>> = {
  proxmox_acme_certificate: { "/": ["Sys.Audit", "Sys.Modify"], "/nodes": ["Sys.Modify"] },
  proxmox_apt_repository: { "/nodes": ["Sys.Audit", "Sys.Modify"] },
  proxmox_node_directory: disks,
  proxmox_node_lvm: disks,
  proxmox_node_lvmthin: disks,
  proxmox_node_zfs_pool: disks,
  proxmox_node_certificate: { "/nodes": ["Sys.Modify"] },
  proxmox_acl: { "/": ["Permissions.Modify"], "/access": ["Permissions.Modify", "Sys.Audit"] },
  proxmox_container: ["containers"],
  proxmox_container_template: ["upload"],
  proxmox_disk: {
    "/storage": ["Datastore.Allocate", "Datastore.AllocateSpace", "Datastore.Audit"],
    "/vms": ["VM.Allocate", "VM.Audit", "VM.Config.Disk", "VM.Config.Options"],
  },
  proxmox_download: ["download", "upload"],
  proxmox_file: ["upload"],
  proxmox_firewall_alias: firewall,
  proxmox_firewall_ipset: firewall,
  proxmox_firewall_options: firewall,
  proxmox_firewall_policy: firewall,
  proxmox_firewall_rules: firewall,
  proxmox_firewall_security_group: { "/": ["Sys.Audit", "Sys.Modify"] },
  proxmox_oci_image: ["download", "upload"],
  proxmox_pool_member: {
    "/pool": ["Pool.Allocate", "Pool.Audit"],
    "/storage": ["Datastore.Allocate", "Datastore.Audit"],
    "/vms": ["VM.Allocate", "VM.Audit"],
  },
  proxmox_sdn_ip: { "/sdn/zones": ["SDN.Allocate", "SDN.Audit"] },
  proxmox_snapshot: ["snapshot"],
  proxmox_token: { "/access/groups": ["User.Modify"] },
  proxmox_vm: lifeCycle,
};

const described = { ...objects, ...settings };

/** Every resource that a role can be composed for. */
export const roleTypes: readonly string[] = [...Object.keys(described), ...Object.keys(written)].sort();

/** The capabilities of a resource, if it has them: paths of storages, bridges and pools are then narrowed. */
export function capabilitiesOf(type: string): readonly CapabilityName[] {
  const found = written[type];
  return Array.isArray(found) ? (found as readonly CapabilityName[]) : [];
}

/** The privileges of every other resource, by path, of those that the host has; null: of all. */
export async function grantsOf(type: string, host: ReadonlySet<string> | null): Promise<Grants> {
  const found = written[type];
  if (found !== undefined) return Array.isArray(found) ? {} : grantableOf(found as Grants, host);
  const load = described[type as keyof typeof described];
  return grantsFor((await load()).crud, host);
}

function grantableOf(grants: Grants, host: ReadonlySet<string> | null): Grants {
  const entries = Object.entries(grants).map(([path, privileges]) => ({ path, privileges }));
  return Object.fromEntries(onlyGrantable(entries, host).map(({ path, privileges }) => [path, privileges]));
}

import { bpgContainerBlock, ourContainerBlock } from "./containers.ts";

/** Of ten objects two are VMs, one is a container, and the others are of the cluster's configuration. */
const tenths = (count: number): number => Math.floor(count / 10);

/** How many of `count` mixed objects are VMs. */
export const mixedVms = (count: number): number => count - 8 * tenths(count);

/** The same objects for each provider, besides the VMs. */
export const ourOthers = (count: number): string => `${ourContainerBlock(tenths(count), 5000)}
resource "proxmox_pool" "pool" {
  count   = ${tenths(count)}
  id      = "team-\${count.index}"
  comment = "Team \${count.index}"
}
resource "proxmox_role" "role" {
  count      = ${tenths(count)}
  id         = "Role\${count.index}"
  privileges = ["VM.Audit", "VM.Console", "VM.PowerMgmt"]
}
resource "proxmox_group" "group" {
  count   = ${tenths(count)}
  id      = "group-\${count.index}"
  comment = "Group \${count.index}"
}
resource "proxmox_user" "user" {
  count   = ${2 * tenths(count)}
  id      = "user-\${count.index}@pve"
  comment = "User \${count.index}"
  groups  = [proxmox_group.group[floor(count.index / 2)].id]
}
resource "proxmox_firewall_alias" "alias" {
  count   = ${tenths(count)}
  name    = "net-\${count.index}"
  cidr    = "10.1.\${count.index}.0/24"
  comment = "Network \${count.index}"
}
resource "proxmox_firewall_ipset" "set" {
  count = ${tenths(count)}
  name  = "set-\${count.index}"
  entries = {
    "10.2.\${count.index}.0/24" = {}
    "10.3.\${count.index}.0/24" = {}
  }
}
`;

export const bpgOthers = (count: number): string => `${bpgContainerBlock(tenths(count), 5000)}
resource "proxmox_virtual_environment_pool" "pool" {
  count   = ${tenths(count)}
  pool_id = "team-\${count.index}"
  comment = "Team \${count.index}"
}
resource "proxmox_virtual_environment_role" "role" {
  count      = ${tenths(count)}
  role_id    = "Role\${count.index}"
  privileges = ["VM.Audit", "VM.Console", "VM.PowerMgmt"]
}
resource "proxmox_virtual_environment_group" "group" {
  count    = ${tenths(count)}
  group_id = "group-\${count.index}"
  comment  = "Group \${count.index}"
}
resource "proxmox_virtual_environment_user" "user" {
  count   = ${2 * tenths(count)}
  user_id = "user-\${count.index}@pve"
  comment = "User \${count.index}"
  groups  = [proxmox_virtual_environment_group.group[floor(count.index / 2)].group_id]
}
resource "proxmox_virtual_environment_firewall_alias" "alias" {
  count   = ${tenths(count)}
  name    = "net-\${count.index}"
  cidr    = "10.1.\${count.index}.0/24"
  comment = "Network \${count.index}"
}
resource "proxmox_virtual_environment_firewall_ipset" "set" {
  count = ${tenths(count)}
  name  = "set-\${count.index}"
  cidr {
    name = "10.2.\${count.index}.0/24"
  }
  cidr {
    name = "10.3.\${count.index}.0/24"
  }
}
`;

# VLANs as networks of the cluster: a VLAN-aware bridge on each node, a zone on it, and one vnet for each VLAN.
# All bridges of a node take one reload, and the whole SDN one commit.

terraform {
  required_providers {
    proxmox = { source = "registry.terraform.io/proxmox-ts/proxmox" }
  }
}

# Endpoint and token come from the environment: PROXMOX_VE_ENDPOINT, PROXMOX_VE_API_TOKEN.
provider "proxmox" {}

variable "nodes" {
  description = "Nodes that get the bridge."
  type        = set(string)
  default     = ["pve1", "pve2", "pve3"]
}

variable "bridge" {
  description = "Name of the bridge."
  type        = string
  default     = "vmbr20"
}

variable "vlans" {
  description = "VLANs by the name of their network."
  type        = map(number)
  default     = { web = 20, db = 30, backup = 40 }
}

resource "proxmox_network_interface" "guests" {
  for_each = var.nodes

  node    = each.value
  name    = var.bridge
  comment = "VLANs of guests"
  bridge  = { vlan_aware = true }
}

resource "proxmox_sdn_zone" "site" {
  id    = "site"
  nodes = [for bridge in proxmox_network_interface.guests : bridge.node]
  vlan  = { bridge = var.bridge }
}

resource "proxmox_sdn_vnet" "vlan" {
  for_each = var.vlans

  id    = each.key
  zone  = proxmox_sdn_zone.site.id
  tag   = each.value
  alias = "VLAN ${each.value}"
}

output "networks" {
  description = "What VMs take as `bridge`, with the VLAN of each."
  value       = { for vnet in proxmox_sdn_vnet.vlan : vnet.id => vnet.tag }
}

# Routed networks across three nodes: an OpenFabric underlay, BGP-EVPN on it, and subnets that any node routes.
# The whole SDN takes one commit.

terraform {
  required_providers {
    proxmox = { source = "registry.terraform.io/proxmox-ts/proxmox" }
  }
}

# Endpoint and token come from the environment: PROXMOX_VE_ENDPOINT, PROXMOX_VE_API_TOKEN.
provider "proxmox" {}

variable "nodes" {
  description = "Address in the underlay and interface to the other nodes, by node."
  type        = map(object({ address = string, interface = string }))
  default = {
    pve1 = { address = "10.255.0.1", interface = "eth0" }
    pve2 = { address = "10.255.0.2", interface = "eth0" }
    pve3 = { address = "10.255.0.3", interface = "eth0" }
  }
}

variable "tenants" {
  description = "VXLAN identifier and network of each tenant, by the name of its vnet."
  type        = map(object({ tag = number, cidr = string }))
  default = {
    red  = { tag = 11001, cidr = "10.11.1.0/24" }
    blue = { tag = 11002, cidr = "10.11.2.0/24" }
  }
}

resource "proxmox_sdn_fabric" "underlay" {
  id         = "underlay"
  ip_prefix  = "10.255.0.0/24"
  openfabric = {}
}

resource "proxmox_sdn_fabric_node" "member" {
  for_each = var.nodes

  fabric     = proxmox_sdn_fabric.underlay.id
  node       = each.key
  protocol   = "openfabric"
  ip         = each.value.address
  interfaces = { (each.value.interface) = {} }
}

resource "proxmox_sdn_controller" "evpn" {
  id   = "evpn"
  evpn = { asn = 65000, fabric = proxmox_sdn_fabric.underlay.id }
}

resource "proxmox_sdn_zone" "tenants" {
  id  = "tenants"
  mtu = 1450
  evpn = {
    controller        = proxmox_sdn_controller.evpn.id
    vrf_vxlan         = 11000
    exit_nodes        = keys(var.nodes)
    advertise_subnets = true
  }
}

resource "proxmox_sdn_vnet" "tenant" {
  for_each = var.tenants

  id   = each.key
  zone = proxmox_sdn_zone.tenants.id
  tag  = each.value.tag
}

resource "proxmox_sdn_subnet" "tenant" {
  for_each = var.tenants

  vnet    = proxmox_sdn_vnet.tenant[each.key].id
  cidr    = each.value.cidr
  gateway = cidrhost(each.value.cidr, 1)
  snat    = true
}

output "gateways" {
  description = "Gateway of each tenant, on every node."
  value       = { for subnet in proxmox_sdn_subnet.tenant : subnet.vnet => subnet.gateway }
}

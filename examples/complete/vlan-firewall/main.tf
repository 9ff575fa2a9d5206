# A VLAN for web servers, the servers in it, and their firewall: HTTP and HTTPS from everywhere, SSH from the
# administrators, and nothing else.

terraform {
  required_providers {
    proxmox = { source = "registry.terraform.io/proxmox-ts/proxmox" }
  }
}

provider "proxmox" {}

resource "proxmox_sdn_zone" "site" {
  id   = "site"
  vlan = { bridge = var.bridge }
}

resource "proxmox_sdn_vnet" "web" {
  id    = "webnet"
  zone  = proxmox_sdn_zone.site.id
  tag   = var.vlan
  alias = "Web servers"
}

resource "proxmox_vm" "web" {
  count = var.servers

  name     = "web-${count.index + 1}"
  clone    = { template = var.template }
  networks = { net0 = { bridge = proxmox_sdn_vnet.web.id, firewall = true } }
  power    = "stopped"
}

resource "proxmox_firewall_ipset" "admins" {
  name    = "admins"
  comment = "who may log in"
  entries = { for network in var.admins : network => {} }
}

resource "proxmox_firewall_security_group" "web" {
  name = "web"
  rules = [
    { type = "in", action = "ACCEPT", macro = "HTTP" },
    { type = "in", action = "ACCEPT", macro = "HTTPS" },
  ]
}

resource "proxmox_firewall_policy" "web" {
  count = var.servers

  vmid    = proxmox_vm.web[count.index].vmid
  options = { enabled = true, policy_in = "DROP", dhcp = true }
  rules = [
    { security_group = proxmox_firewall_security_group.web.name, iface = "net0" },
    { type = "in", action = "ACCEPT", macro = "SSH", source = proxmox_firewall_ipset.admins.reference },
  ]
}

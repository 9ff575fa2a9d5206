terraform {
  required_providers {
    proxmox = { source = "proxmox-ts/proxmox" }
    telmate = { source = "telmate/proxmox" }
  }
}

variable "vmid" {
  type    = number
  default = 0
}

variable "boot" {
  type    = string
  default = "cdn"
}

variable "tags" {
  type    = string
  default = null
}

variable "iso" {
  type    = string
  default = null
}

variable "keys" {
  type    = string
  default = null
}

variable "memory" {
  type    = number
  default = 0
}

variable "servers" {
  type    = string
  default = ""
}

variable "hastate" {
  type    = string
  default = ""
}

variable "start" {
  type    = bool
  default = null
}

resource "proxmox_vm" "web" {
  count      = 2
  name       = "web-${count.index}"
  node       = "pve1"
  clone      = { template = "debian-13-cloud", full = true }
  vmid       = var.vmid > 0 ? var.vmid : null
  memory     = { size = var.memory > 0 ? "${var.memory}M" : null }
  boot_order = try(startswith(var.boot, "order="), false) ? split(";", trimprefix(var.boot, "order=")) : null
  tags       = var.tags == null ? null : compact(split(",", replace(var.tags, ";", ",")))
  cdroms     = var.iso == null ? null : { ide2 = { file = var.iso } }
  cloud_init = {
    ssh_keys    = var.keys == null ? null : [for line in split("\n", var.keys) : trimspace(line) if trimspace(line) != ""]
    dns_servers = compact(split(" ", var.servers))
  }
  ha       = var.hastate == "" ? null : { state = var.hastate }
  power    = coalesce(var.start, true) ? null : "stopped"
  agent    = { enabled = true, wait = "2m" }
  networks = { net0 = { model = "virtio", bridge = "vmbr0", ipv4 = { address = "dhcp" } } }
  # Left out: ssh_user: a `connection` block says how to reach the guest
}

moved {
  from = proxmox_vm_qemu.web
  to   = proxmox_vm.web
}

resource "terraform_data" "inventory" {
  input = <<-EOT
    %{for one in proxmox_vm.web~}
    ${one.name} ansible_host=${one.ipv4_address}
    %{endfor~}
  EOT
}

# TODO: proxmox_vm_qemu.web.ssh_port: no counterpart in the same form, so it is null here; see the attributes of `proxmox_vm`
output "web" {
  value = {
    user    = "admin"
    cards   = { for number, card in [for key, one in proxmox_vm.web[0].networks : { bridge = one.bridge, firewall = one.firewall, link_down = one.link_down, macaddr = proxmox_vm.web[0].mac_addresses[key], model = one.model, mtu = one.mtu, queues = one.queues, tag = one.vlan }] : number => card.macaddr }
    bridge  = proxmox_vm.web[0].networks["net0"].bridge
    address = "ip=dhcp"
    port    = null
  }
}

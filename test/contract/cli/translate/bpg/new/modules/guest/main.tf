terraform {
  required_providers {
    proxmox = { source = "proxmox-ts/proxmox" }
    bpg     = { source = "bpg/proxmox" }
  }
}

variable "name" {
  type = string
}

variable "networks" {
  type = list(string)
}

variable "has_efi" {
  type = bool
}

resource "proxmox_vm" "this" {
  name     = var.name
  node     = "pve1"
  power    = "stopped"
  machine  = { type = "q35" }
  bios     = var.has_efi ? "ovmf" : "seabios"
  efi_disk = var.has_efi ? { storage = "local-lvm", type = "4m" } : null
  disks    = { virtio0 = { size = "10G", storage = "local-lvm" } }
  networks = { for slot, one in { for index, network_device in [for key, value in var.networks : { key = key, value = value }] : "net${index}" => { bridge = network_device.value } } : slot => merge(one, try({ for index, ip_config in [for key, value in var.networks : { key = key, value = value }] : "net${index}" => { ipv4 = { address = "192.0.2.${20 + ip_config.key}/24" } } }[slot], {})) }
  usb      = { usb0 = { device = "1234:5678" } }
  on_boot  = true
}

moved {
  from = proxmox_virtual_environment_vm.this
  to   = proxmox_vm.this
}

output "vmid" {
  value = proxmox_vm.this.vmid
}

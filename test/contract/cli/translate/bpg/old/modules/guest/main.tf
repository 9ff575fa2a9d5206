terraform {
  required_providers {
    proxmox = {
      source = "bpg/proxmox"
    }
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

resource "proxmox_virtual_environment_vm" "this" {
  name      = var.name
  node_name = "pve1"
  started   = false
  machine   = "q35"
  bios      = var.has_efi ? "ovmf" : "seabios"

  dynamic "efi_disk" {
    for_each = var.has_efi ? [1] : []
    content {
      datastore_id = "local-lvm"
      type         = "4m"
    }
  }

  disk {
    interface = "virtio0"
    size      = 10
  }

  dynamic "network_device" {
    for_each = var.networks
    content {
      bridge = network_device.value
    }
  }

  initialization {
    dynamic "ip_config" {
      for_each = var.networks
      content {
        ipv4 {
          address = "192.0.2.${20 + ip_config.key}/24"
        }
      }
    }
  }

  usb {
    host = "1234:5678"
  }

  watchdog {
    enabled = false
  }
}

output "vmid" {
  value = proxmox_virtual_environment_vm.this.vm_id
}

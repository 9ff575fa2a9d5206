# A VM with UEFI and an empty disk that boots from an installation medium and stays stopped.

terraform {
  required_providers {
    proxmox = { source = "registry.terraform.io/proxmox-ts/proxmox" }
  }
}

provider "proxmox" {}

variable "node" {
  type    = string
  default = "pve1"
}

variable "storage" {
  type    = string
  default = "local-lvm"
}

variable "iso" {
  type    = string
  default = "local:iso/talos-amd64.iso"
}

resource "proxmox_vm" "talos" {
  name    = "talos"
  node    = var.node
  machine = { type = "q35" }
  bios    = "ovmf"

  cpu    = { cores = 4, type = "host" }
  memory = { size = "8G", balloon = "0" }

  efi_disk      = { storage = var.storage, type = "4m" }
  scsi_hardware = "virtio-scsi-single"
  disks         = { scsi0 = { storage = var.storage, size = "32G" } }
  cdroms        = { ide2 = { file = var.iso } }
  networks      = { net0 = { model = "virtio", bridge = "vmbr0", firewall = true } }
  boot_order    = ["scsi0", "ide2"]

  power = "stopped"
}

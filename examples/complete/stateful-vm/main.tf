# A VM with data that outlives it. Another template replaces the VM with its operating system; the data disk is detached from the old VM
# and attached to the new one, in one apply.

terraform {
  required_providers {
    proxmox = { source = "registry.terraform.io/proxmox-ts/proxmox" }
  }
}

provider "proxmox" {}

resource "proxmox_disk" "data" {
  storage      = var.data_storage
  node         = var.node
  name         = "${var.name}-data"
  size         = var.data_size
  destroy_data = var.destroy_data
}

resource "proxmox_vm" "server" {
  name                     = var.name
  node                     = proxmox_disk.data.node
  clone                    = { template = var.template }
  replace_on_source_change = true

  cpu    = { cores = 2 }
  memory = { size = "4G" }

  disks = {
    scsi0 = { size = "20G" }
    scsi1 = { volume = proxmox_disk.data.volume, serial = "data", discard = true }
  }

  networks = { net0 = { model = "virtio", bridge = "vmbr0" } }

  # The guest finds the disk by its serial number. `overwrite: false` keeps a file system that is there already.
  cloud_init = { user_data = file("${path.module}/user-data.yaml") }
}

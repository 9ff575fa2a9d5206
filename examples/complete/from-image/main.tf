# A VM created from a disk image on a storage, without a template.

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

variable "image" {
  description = "Volume of content type `import`."
  type        = string
  default     = "local:import/debian-13.qcow2"
}

resource "proxmox_vm" "debian" {
  name = "debian"
  node = var.node

  cpu           = { cores = 2, type = "x86-64-v2-AES" }
  memory        = { size = "2G" }
  scsi_hardware = "virtio-scsi-single"
  os_type       = "l26"

  disks = {
    scsi0 = { storage = var.storage, import_from = var.image, size = "20G", discard = true, iothread = true }
    scsi1 = { storage = var.storage, size = "5G", backup = false }
  }

  networks   = { net0 = { model = "virtio", bridge = "vmbr0" } }
  cloud_init = { user = "debian", storage = var.storage }
  boot_order = ["scsi0"]
}

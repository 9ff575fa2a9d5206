# From a cloud image on the Internet to VMs, in one apply: the node downloads the image, a VM is created from it and converted to a
# template, and VMs are cloned from that.

terraform {
  required_providers {
    proxmox = { source = "registry.terraform.io/proxmox-ts/proxmox" }
  }
}

provider "proxmox" {}

resource "proxmox_download" "image" {
  storage  = var.image_storage
  node     = var.node
  content  = "import"
  url      = var.image.url
  checksum = var.image.checksum
  name     = "${var.name}-${var.image.version}.qcow2"
}

resource "proxmox_vm" "template" {
  name     = "${var.name}-${var.image.version}"
  node     = var.node
  template = true

  cpu           = { cores = 2, type = "x86-64-v2-AES" }
  memory        = { size = "2G" }
  scsi_hardware = "virtio-scsi-single"
  os_type       = "l26"
  serial        = { serial0 = "socket" }
  vga           = { type = "serial0" }

  disks      = { scsi0 = { storage = var.disk_storage, import_from = proxmox_download.image.volume_id, size = "10G", discard = true, iothread = true } }
  networks   = { net0 = { model = "virtio", bridge = "vmbr0" } }
  cloud_init = { storage = var.disk_storage }
  boot_order = ["scsi0"]
  tags       = ["golden"]
}

resource "proxmox_vm" "app" {
  count = var.vms

  name       = "${var.name}-app-${count.index + 1}"
  clone      = { template = proxmox_vm.template.vmid }
  cloud_init = { user = "ops" }
  disks      = { scsi0 = { size = "20G" } }
}

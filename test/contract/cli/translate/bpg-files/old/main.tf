terraform {
  required_providers {
    proxmox = { source = "bpg/proxmox" }
  }
}

# A file of the Internet goes to the node without a detour.
resource "proxmox_virtual_environment_file" "template" {
  node_name    = "pve1"
  datastore_id = "local"
  content_type = "vztmpl"
  overwrite    = true

  source_file {
    path     = "https://images.example.com/${var.release}/debian-13.tar.zst"
    checksum = "00000000000000000000000000000000000000000000000000000000000000ab"
    insecure = true
  }
}

resource "proxmox_virtual_environment_file" "iso" {
  node_name    = "pve1"
  datastore_id = "local"
  content_type = "iso"

  source_file {
    path      = "${path.module}/small.iso"
    file_name = "tiny.iso"
  }
}

variable "release" { default = "trixie" }

# Members of the list have other names here.
data "proxmox_virtual_environment_files" "isos" {
  node_name    = "pve1"
  datastore_id = "local"
  content_type = "iso"
}

locals {
  is_there = anytrue([for f in data.proxmox_virtual_environment_files.isos.files : f.file_name == "tiny.iso"])
}

data "proxmox_acme_accounts" "all" {}

data "proxmox_acme_account" "each" {
  for_each = data.proxmox_acme_accounts.all.accounts
  name     = each.value
}

data "proxmox_virtual_environment_dns" "pve1" {
  node_name = "pve1"
}

data "proxmox_virtual_environment_hagroups" "all" {}

output "names" {
  value = {
    domain  = data.proxmox_virtual_environment_dns.pve1.domain
    ids     = data.proxmox_virtual_environment_files.isos.files[*].id
    threads = null
  }
}

output "clock" {
  value = "now: ${data.proxmox_virtual_environment_time.pve1.local_time}"
}

data "proxmox_virtual_environment_time" "pve1" {
  node_name = "pve1"
}

# Two types of one name: one of them has the name that the other gets here.
resource "proxmox_apt_repository" "r" {
  node      = "pve1"
  enabled   = true
  file_path = "/etc/apt/sources.list.d/pve-enterprise.sources"
  index     = 0
}

resource "proxmox_apt_standard_repository" "r" {
  node   = "pve1"
  handle = "no-subscription"
}

resource "proxmox_virtual_environment_network_linux_bridge" "all" {
  node_name  = "pve1"
  name       = "vmbr9"
  vlan_aware = true
  vids       = "2-4094"
}

resource "proxmox_realm_ldap" "corp" {
  realm                 = "corp"
  server1               = "ldap.example.com"
  base_dn               = "dc=example,dc=com"
  sync_attributes       = "email=mail,firstname=givenName"
  sync_defaults_options = "scope=${var.scope},enable-new=1,remove-vanished=acl;entry"
}

variable "scope" { default = "both" }

resource "proxmox_virtual_environment_container" "clone" {
  node_name = "pve1"

  clone {
    vm_id = 200
  }
  mount_point {
    volume = "local-lvm:vm-300-disk-1"
    size   = "10G"
    path   = "/kept"
  }
  dynamic "mount_point" {
    for_each = var.folders
    content {
      volume = "local-lvm"
      size   = "2G"
      path   = mount_point.value
    }
  }
}

variable "folders" { default = [] }

resource "proxmox_virtual_environment_vm" "dyn" {
  node_name = "pve1"

  dynamic "clone" {
    for_each = var.template == null ? [] : [var.template]
    content {
      vm_id = clone.value
    }
  }
  disk {
    datastore_id = "local-lvm"
    interface    = "virtio0"
    size         = 8
    ssd          = true
    iothread     = true
  }
  disk {
    datastore_id = "local-lvm"
    interface    = "sata0"
    size         = 8
    ssd          = true
    iothread     = false
  }
  dynamic "network_device" {
    for_each = var.vlans
    content {
      vlan_id = network_device.value
    }
  }
}

variable "template" { default = null }
variable "vlans" { default = [10] }

resource "proxmox_virtual_environment_download_file" "image" {
  node_name          = "pve1"
  datastore_id       = "local"
  content_type       = "import"
  url                = "https://images.example.com/debian-13.qcow2"
  checksum           = var.sum
  checksum_algorithm = "sha512"
}

variable "sum" { default = "" }

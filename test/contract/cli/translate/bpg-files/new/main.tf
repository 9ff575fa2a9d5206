terraform {
  required_providers {
    proxmox = { source = "proxmox-ts/proxmox" }
    bpg     = { source = "bpg/proxmox" }
  }
}

# A file of the Internet goes to the node without a detour.
resource "proxmox_download" "template" {
  node                = "pve1"
  storage             = "local"
  content             = "vztmpl"
  url                 = "https://images.example.com/${var.release}/debian-13.tar.zst"
  checksum            = "00000000000000000000000000000000000000000000000000000000000000ab"
  verify_certificates = false
}

moved {
  from = proxmox_virtual_environment_file.template
  to   = proxmox_download.template
}

resource "proxmox_file" "iso" {
  node    = "pve1"
  storage = "local"
  content = "iso"
  source  = "${path.module}/small.iso"
  name    = "tiny.iso"
}

moved {
  from = proxmox_virtual_environment_file.iso
  to   = proxmox_file.iso
}

variable "release" { default = "trixie" }

# Members of the list have other names here.
data "proxmox_files" "isos" {
  node    = "pve1"
  storage = "local"
  content = "iso"
}

locals {
  is_there = anytrue([for f in [for one in data.proxmox_files.isos.files : { content_type = one.content, file_format = one.format, file_name = one.name, file_size = one.size_bytes, id = one.volume_id, vmid = one.vmid }] : f.file_name == "tiny.iso"])
}

data "proxmox_acme_accounts" "all" {}

# TODO: stays with bpg: `proxmox_acme_accounts` lists names; only `root@pam` may read an account, and an import shows it
data "proxmox_acme_account" "each" {
  provider = bpg

  for_each = toset(data.proxmox_acme_accounts.all.names)
  name     = each.value
}

data "proxmox_node" "pve1" {
  name = "pve1"
}

# Left out: proxmox_virtual_environment_hagroups.all: HA groups do not exist in Proxmox VE 9

output "names" {
  value = {
    domain  = data.proxmox_node.pve1.dns.search_domain
    ids     = data.proxmox_files.isos.files[*].volume_id
    threads = null
  }
}

# TODO: data.proxmox_virtual_environment_time.pve1.local_time: no counterpart in the same form, so it is null here; see the attributes of `proxmox_node`
output "clock" {
  value = try("now: ${null}", null)
}

data "proxmox_node" "pve1_2" {
  name = "pve1"
}

# Two types of one name: one of them has the name that the other gets here.
resource "proxmox_apt_repository" "r_new" {
  node       = "pve1"
  enabled    = true
  repository = "/etc/apt/sources.list.d/pve-enterprise.sources#0"
}

moved {
  from = proxmox_apt_repository.r
  to   = proxmox_apt_repository.r_new
}

resource "proxmox_apt_repository" "r_2" {
  node       = "pve1"
  repository = "no-subscription"
}

moved {
  from = proxmox_apt_standard_repository.r
  to   = proxmox_apt_repository.r_2
}

resource "proxmox_network_interface" "all" {
  node   = "pve1"
  name   = "vmbr9"
  bridge = { vlan_aware = true }
}

moved {
  from = proxmox_virtual_environment_network_linux_bridge.all
  to   = proxmox_network_interface.all
}

resource "proxmox_realm" "corp" {
  id = "corp"
  ldap = {
    server             = "ldap.example.com"
    base_dn            = "dc=example,dc=com"
    sync_attributes    = { email = "mail", firstname = "givenName" }
    sync_defaults      = { scope = var.scope, enable_new = true, remove_vanished = ["acl", "entry"] }
    user_attribute     = "uid"
    case_sensitive     = true
    verify_certificate = false
  }
}

moved {
  from = proxmox_realm_ldap.corp
  to   = proxmox_realm.corp
}

variable "scope" { default = "both" }

resource "proxmox_container" "clone" {
  node  = "pve1"
  clone = { template = "200", full = true }
  mounts = merge(
    { mp0 = { volume = "local-lvm:vm-300-disk-1", size = "10G", path = "/kept" } },
    { for index, mount_point in [for key, value in var.folders : { key = key, value = value }] : "mp${index + 1}" => { size = "2G", path = mount_point.value, storage = "local-lvm" } }
  )
  on_boot = true
}

moved {
  from = proxmox_virtual_environment_container.clone
  to   = proxmox_container.clone
}

variable "folders" { default = [] }

resource "proxmox_vm" "dyn" {
  node  = "pve1"
  clone = one([for clone in [for key, value in var.template == null ? [] : [var.template] : { key = key, value = value }] : { template = clone.value, full = true }])
  disks = {
    virtio0 = {
      storage  = "local-lvm"
      size     = "8G"
      iothread = true
      # Left out: disk.ssd: disks such as `virtio0` do not have it
    }
    sata0 = { storage = "local-lvm", size = "8G", ssd = true }
  }
  networks = { for index, network_device in [for key, value in var.vlans : { key = key, value = value }] : "net${index}" => { vlan = network_device.value, bridge = "vmbr0" } }
  on_boot  = true
}

moved {
  from = proxmox_virtual_environment_vm.dyn
  to   = proxmox_vm.dyn
}

variable "template" { default = null }
variable "vlans" { default = [10] }

resource "proxmox_download" "image" {
  node     = "pve1"
  storage  = "local"
  content  = "import"
  url      = "https://images.example.com/debian-13.qcow2"
  checksum = var.sum == "" ? null : "sha512:${var.sum}"
}

moved {
  from = proxmox_virtual_environment_download_file.image
  to   = proxmox_download.image
}

variable "sum" { default = "" }

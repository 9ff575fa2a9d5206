terraform {
  required_providers {
    proxmox = { source = "proxmox-ts/proxmox" }
    bpg     = { source = "bpg/proxmox" }
  }
}

variable "pool" {
  type    = string
  default = ""
}

variable "cpu_units" {
  type    = number
  default = 0
}

variable "is_running" {
  type    = bool
  default = null
}

variable "mounts" {
  type = list(object({ volume = string, path = string, size = optional(string, null) }))
  default = []
}

data "proxmox_nodes" "all" {}

data "proxmox_vms" "templates" {
  template = true
  # TODO: filter: write it as `name` (`*` and `?` match any characters), `node`, `status` or `template`, or as an `if` of a `for` expression
}

data "proxmox_storages" "all" {
  node = "pve1"
}

locals {
  template = [for one in [for one in data.proxmox_vms.templates.vms : { name = one.name, node_name = one.node, status = one.status, tags = one.tags, template = one.template, vm_id = one.vmid }] : one.vm_id if one.name == "debian"][0]
  first    = data.proxmox_vms.templates.vms[0].node
  online   = data.proxmox_nodes.all.nodes[*].online
  cpus     = data.proxmox_nodes.all.nodes[0].cpus
  storages = data.proxmox_storages.all.storages[*].name
}

# TODO: stays with bpg: snippets have no API: put the text into `cloud_init.user_data` (`network_data`, `meta_data`, `vendor_data`) of the VM, then remove the file
resource "proxmox_virtual_environment_file" "user_data" {
  provider = bpg

  content_type = "snippets"
  datastore_id = "local"
  node_name    = "pve1"

  source_raw {
    data      = "#cloud-config"
    file_name = "user-data.yaml"
  }
}

resource "proxmox_vm" "web" {
  name     = "web"
  node     = "pve1"
  pool     = var.pool == "" ? null : var.pool
  power    = coalesce(var.is_running, true) ? null : "stopped"
  cpu      = { units = var.cpu_units }
  clone    = { template = local.template, full = true }
  networks = { net0 = { bridge = "vmbr0" } }
  on_boot  = true
  # Left out: timeout_clone: the operations have timeouts of their own: see `timeouts` and `shutdown`
}

moved {
  from = proxmox_virtual_environment_vm.web
  to   = proxmox_vm.web
}

resource "proxmox_container" "files" {
  node  = "pve1"
  image = { volume = "local:vztmpl/debian-13-standard_13.0-1_amd64.tar.zst" }
  mounts = merge(
    { rootfs = { storage = "local-lvm", size = "4G" } },
    { for index, mount_point in [for key, value in var.mounts : { key = key, value = value }] : "mp${index}" => {
      storage   = startswith(mount_point.value.volume, "/") || strcontains(mount_point.value.volume, ":") ? null : mount_point.value.volume
      host_path = startswith(mount_point.value.volume, "/") ? mount_point.value.volume : null
      volume    = !startswith(mount_point.value.volume, "/") && strcontains(mount_point.value.volume, ":") ? mount_point.value.volume : null
      path      = mount_point.value.path
      size      = mount_point.value.size
    } }
  )
  on_boot = true
}

moved {
  from = proxmox_virtual_environment_container.files
  to   = proxmox_container.files
}

# Left out: proxmox_virtual_environment_sdn_applier.all: changes are applied with the resource that makes them; the action `proxmox_sdn_apply` applies at any time
removed {
  from = proxmox_virtual_environment_sdn_applier.all

  lifecycle {
    destroy = false
  }
}

resource "terraform_data" "after" {
  depends_on = [proxmox_vm.web]
}

# TODO: proxmox_virtual_environment_vm.web.network_interface_names: no counterpart in the same form, so it is null here; see the attributes of `proxmox_vm`
output "cards" {
  value = {
    mac     = proxmox_vm.web.mac_addresses["net0"]
    vlan    = proxmox_vm.web.networks["net0"].vlan
    macs    = [for card in [for key, one in proxmox_vm.web.networks : { bridge = one.bridge, firewall = one.firewall, model = one.model, mtu = one.mtu, queues = one.queues, rate_limit = one.rate_limit, mac_address = proxmox_vm.web.mac_addresses[key], vlan_id = one.vlan, disconnected = one.link_down }] : card.mac_address]
    timeout = 600
    names   = null
  }
}

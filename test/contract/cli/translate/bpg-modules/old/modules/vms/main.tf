terraform {
  required_providers {
    proxmox = { source = "bpg/proxmox" }
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

data "proxmox_virtual_environment_nodes" "all" {}

data "proxmox_virtual_environment_vms" "templates" {
  filter {
    name   = "template"
    values = [true]
  }
  filter {
    name   = "name"
    regex  = true
    values = ["debian-.*"]
  }
}

data "proxmox_virtual_environment_datastores" "all" {
  node_name = "pve1"
}

locals {
  template = [for one in data.proxmox_virtual_environment_vms.templates.vms : one.vm_id if one.name == "debian"][0]
  first    = data.proxmox_virtual_environment_vms.templates.vms[0].node_name
  online   = data.proxmox_virtual_environment_nodes.all.online
  cpus     = data.proxmox_virtual_environment_nodes.all.cpu_count[0]
  storages = data.proxmox_virtual_environment_datastores.all.datastores[*].id
}

resource "proxmox_virtual_environment_file" "user_data" {
  content_type = "snippets"
  datastore_id = "local"
  node_name    = "pve1"

  source_raw {
    data      = "#cloud-config"
    file_name = "user-data.yaml"
  }
}

resource "proxmox_virtual_environment_vm" "web" {
  name          = "web"
  node_name     = "pve1"
  pool_id       = var.pool
  started       = var.is_running
  timeout_clone = 600

  cpu {
    units = var.cpu_units
  }

  clone {
    vm_id = local.template
  }

  network_device {
    bridge = "vmbr0"
  }
}

resource "proxmox_virtual_environment_container" "files" {
  node_name = "pve1"

  operating_system {
    template_file_id = "local:vztmpl/debian-13-standard_13.0-1_amd64.tar.zst"
  }

  disk {
    datastore_id = "local-lvm"
  }

  dynamic "mount_point" {
    for_each = var.mounts
    content {
      volume = mount_point.value.volume
      path   = mount_point.value.path
      size   = mount_point.value.size
    }
  }
}

resource "proxmox_virtual_environment_sdn_applier" "all" {}

resource "terraform_data" "after" {
  depends_on = [proxmox_virtual_environment_sdn_applier.all, proxmox_virtual_environment_vm.web]
}

output "cards" {
  value = {
    mac     = proxmox_virtual_environment_vm.web.network_device[0].mac_address
    vlan    = proxmox_virtual_environment_vm.web.network_device[0].vlan_id
    macs    = [for card in proxmox_virtual_environment_vm.web.network_device : card.mac_address]
    timeout = proxmox_virtual_environment_vm.web.timeout_clone
    names   = proxmox_virtual_environment_vm.web.network_interface_names
  }
}

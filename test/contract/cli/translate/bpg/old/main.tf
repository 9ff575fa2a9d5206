terraform {
  required_version = ">= 1.9"
  required_providers {
    proxmox = {
      source  = "bpg/proxmox"
      version = "~> 0.111" # pinned
    }
  }
}

provider "proxmox" {
  endpoint  = var.endpoint
  api_token = var.api_token # a secret
  insecure  = true

  ssh {
    agent = true
  }
}

variable "endpoint" {
  type = string
}

variable "api_token" {
  type      = string
  sensitive = true
}

variable "memory" {
  type    = number
  default = null
}

variable "machines" {
  type = map(object({
    address = string
    cores   = number
    pool    = optional(string)
    disks   = list(object({ slot = string, size = number }))
  }))
}

# What everything is made of.
resource "proxmox_virtual_environment_vm" "template" {
  name      = "golden"
  node_name = "pve1"
  vm_id     = 9100
  template  = true
  started   = false

  disk {
    datastore_id = "local-lvm"
    interface    = "scsi0"
    size         = 8
  }

  serial_device {}
}

/* One for each entry
   of the table. */
resource "proxmox_virtual_environment_vm" "web" {
  for_each = var.machines

  # its name
  name        = "web-${each.key}"
  description = "Managed by Terraform"
  node_name   = "pve1"
  pool_id     = each.value.pool
  tags        = ["web"]
  on_boot     = false

  # where it comes from
  clone {
    vm_id = proxmox_virtual_environment_vm.template.vm_id
    full  = true # not linked
  }

  agent {
    enabled = true
    timeout = "10m"
  }

  cpu {
    cores = each.value.cores
    type  = "host"
  }

  memory {
    dedicated = var.memory
    floating  = 2048
  }

  disk {
    datastore_id = "local-lvm"
    interface    = "scsi0"
    size         = 20
    discard      = "on"
    ssd          = true

    speed {
      read = 100
    }
  }

  dynamic "disk" {
    for_each = each.value.disks
    content {
      interface    = disk.value.slot
      datastore_id = "local-lvm"
      size         = disk.value.size
    }
  }

  network_device {
    bridge  = "vmbr0"
    vlan_id = 20
  }

  network_device {
    bridge       = "vmbr0"
    disconnected = true
  }

  initialization {
    datastore_id = "local-lvm"
    dns {
      servers = ["192.0.2.53"]
      domain  = "example.com"
    }
    ip_config {
      ipv4 {
        address = each.value.address
        gateway = "192.0.2.1"
      }
    }
    user_account {
      username = "ops"
      keys     = ["ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIKbvW3pdgyZCi0Q2OOpuzLq5Yk4mPyYSWlZrWnX1m0Rl ops"]
      password = var.api_token
    }
  }

  operating_system {
    type = "l26"
  }

  stop_on_destroy = true

  lifecycle {
    prevent_destroy = true
    ignore_changes  = [node_name, network_device[0].mac_address, initialization] # set by hand
  }
}

module "db" {
  source   = "./modules/guest"
  name     = "db"
  networks = ["vmbr0", "vmbr0"]
  has_efi  = true
}

resource "terraform_data" "unrelated" {
  input = proxmox_virtual_environment_vm.web["a"].ipv4_addresses[1][0]
}

output "addresses" {
  value = { for name, vm in proxmox_virtual_environment_vm.web : name => vm.ipv4_addresses[1][0] }
}

output "macs" {
  value = [for vm in values(proxmox_virtual_environment_vm.web) : vm.network_device[0].mac_address]
}

output "template" {
  value = proxmox_virtual_environment_vm.template.id
}

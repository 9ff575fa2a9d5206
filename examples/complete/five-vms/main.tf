# Five VMs from one cloud image template: 4 cores, 8 GB, a disk grown to 100 GB, a VLAN and a fixed address each.

terraform {
  required_providers {
    proxmox = { source = "registry.terraform.io/proxmox-ts/proxmox" }
  }
}

# Endpoint and token come from the environment: PROXMOX_VE_ENDPOINT, PROXMOX_VE_API_TOKEN.
provider "proxmox" {}

variable "template" {
  description = "Name or VMID of a template with cloud-init and its disk at scsi0."
  type        = string
  default     = "ubuntu-24.04-cloud"
}

variable "first_vmid" {
  description = "The five VMs take this VMID and the next four."
  type        = number
  default     = 401
}

locals {
  managers = { for number in range(5) : "rancher-manager-${number + 1}" => number }
}

resource "proxmox_vm" "rancher_manager" {
  for_each = local.managers

  name  = each.key
  vmid  = var.first_vmid + each.value
  clone = { template = var.template, full = true }

  cpu      = { cores = 4 }
  memory   = { size = "8G" }
  disks    = { scsi0 = { size = "100G" } }
  networks = { net0 = { vlan = 20, ipv4 = { address = "10.0.20.${11 + each.value}/24", gateway = "10.0.20.1" } } }

  cloud_init = { user = "ops", dns_servers = ["10.0.20.1"] }
  boot_order = ["scsi0", "net0"]
  tags       = ["rancher"]
}

output "addresses" {
  value = { for name, vm in proxmox_vm.rancher_manager : name => vm.ipv4_address }
}

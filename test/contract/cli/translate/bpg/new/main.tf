terraform {
  required_version = ">= 1.9"
  required_providers {
    proxmox = { source = "proxmox-ts/proxmox" } # pinned
    bpg     = { source = "bpg/proxmox", version = "~> 0.111" }
  }
}

provider "proxmox" {
  endpoint  = var.endpoint
  api_token = var.api_token # a secret
  insecure  = true
  # Left out: ssh: the provider never uses SSH
}

provider "bpg" {
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
resource "proxmox_vm" "template" {
  name     = "golden"
  node     = "pve1"
  vmid     = 9100
  template = true
  disks    = { scsi0 = { storage = "local-lvm", size = "8G" } }
  serial   = { serial0 = "socket" }
  on_boot  = true
}

moved {
  from = proxmox_virtual_environment_vm.template
  to   = proxmox_vm.template
}

/* One for each entry
   of the table. */
resource "proxmox_vm" "web" {
  for_each = var.machines
  # its name
  name        = "web-${each.key}"
  description = "Managed by Terraform"
  node        = "pve1"
  pool        = each.value.pool
  tags        = ["web"]
  on_boot     = false
  # where it comes from
  clone = {
    template = proxmox_vm.template.vmid
    full     = true # not linked
  }
  agent  = { enabled = true }
  cpu    = { cores = each.value.cores, type = "host" }
  memory = { size = var.memory == null ? null : "${var.memory}M", balloon = "2G" }
  disks = merge(
    {
      scsi0 = {
        storage = "local-lvm"
        size    = "20G"
        discard = true
        ssd     = true
        limits  = { mbps_read = 100 }
      }
    },
    { for disk in [for key, value in each.value.disks : { key = key, value = value }] : disk.value.slot => { storage = "local-lvm", size = "${disk.value.size}G" } }
  )
  networks = {
    net0 = {
      bridge = "vmbr0"
      vlan   = 20
      ipv4   = { address = each.value.address, gateway = "192.0.2.1" }
    }
    net1 = { bridge = "vmbr0", link_down = true }
  }
  cloud_init = {
    storage       = "local-lvm"
    dns_servers   = ["192.0.2.53"]
    search_domain = "example.com"
    user          = "ops"
    ssh_keys      = ["ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIKbvW3pdgyZCi0Q2OOpuzLq5Yk4mPyYSWlZrWnX1m0Rl ops"]
    password      = var.api_token
  }
  os_type = "l26"

  lifecycle {
    prevent_destroy = true
    ignore_changes  = [networks, cloud_init] # set by hand
    # Left out: node_name: not needed in `ignore_changes`: what is not given is not changed
  }
  # Left out: stop_on_destroy: a guest that does not shut down within 30s is stopped; `destroy = { grace = "0s" }` does so at once
}

moved {
  from = proxmox_virtual_environment_vm.web
  to   = proxmox_vm.web
}

module "db" {
  source   = "./modules/guest"
  name     = "db"
  networks = ["vmbr0", "vmbr0"]
  has_efi  = true
}

resource "terraform_data" "unrelated" {
  input = proxmox_vm.web["a"].ipv4_address
}

output "addresses" {
  value = { for name, vm in proxmox_vm.web : name => vm.ipv4_address }
}

output "macs" {
  value = [for vm in values(proxmox_vm.web) : vm.mac_addresses["net0"]]
}

output "template" {
  value = proxmox_vm.template.vmid
}

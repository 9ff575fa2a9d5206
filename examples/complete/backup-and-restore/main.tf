# Every guest is backed up each night, and the newest backup of each guest in `drills` is restored beside it: stopped, with
# MAC addresses of its own, and on a bridge of its own. `terraform apply -replace=…` repeats a drill with a newer backup.

terraform {
  required_providers {
    proxmox = { source = "registry.terraform.io/proxmox-ts/proxmox" }
  }
}

provider "proxmox" {}

resource "proxmox_backup_job" "nightly" {
  id          = "nightly"
  schedule    = var.schedule
  all         = true
  storage     = var.storage
  compression = "zstd"
  prune       = { keep_daily = 7, keep_weekly = 4 }

  notification_mode = "notification-system"
}

data "proxmox_backups" "vms" {
  storage = var.storage
  type    = "vm"
}

data "proxmox_backups" "containers" {
  storage = var.storage
  type    = "container"
}

resource "proxmox_vm" "drill" {
  for_each = var.vms

  name     = each.key
  node     = var.node
  restore  = { archive = data.proxmox_backups.vms.newest[each.value], unique = true }
  networks = { net0 = { bridge = var.bridge } }
  tags     = ["drill"]
  power    = "stopped"

  # A change of the restored VM can be taken back.
  before_change = { snapshot = true, keep = 2 }
}

resource "proxmox_container" "drill" {
  for_each = var.containers

  name     = each.key
  node     = var.node
  restore  = { archive = data.proxmox_backups.containers.newest[each.value], unique = true }
  networks = { net0 = { bridge = var.bridge } }
  tags     = ["drill"]
  power    = "stopped"

  before_change = { snapshot = true, keep = 2 }
}

# Guests that no job covers: none, as long as `nightly` has `all`.
data "proxmox_backup_coverage" "missing" {
  depends_on = [proxmox_backup_job.nightly]
}

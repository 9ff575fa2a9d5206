locals {
  databases = toset(["database-1", "database-2"])
}

resource "proxmox_vm" "database" {
  for_each = local.databases

  name  = each.key
  power = "stopped"
  clone = { template = "debian-13-cloud" }
}

resource "proxmox_ha_resource" "database" {
  for_each = local.databases

  sid   = "vm:${proxmox_vm.database[each.key].vmid}"
  state = "stopped"
}

# Each on a different node …
resource "proxmox_ha_rule" "apart" {
  name      = "databases-apart"
  type      = "resource-affinity"
  affinity  = "negative"
  resources = [for database in proxmox_ha_resource.database : database.sid]
}

# … and on two of the three nodes.
resource "proxmox_ha_rule" "place" {
  name      = "databases-place"
  type      = "node-affinity"
  nodes     = { pve1 = 1, pve2 = 1 }
  strict    = true
  resources = [for database in proxmox_ha_resource.database : database.sid]
}

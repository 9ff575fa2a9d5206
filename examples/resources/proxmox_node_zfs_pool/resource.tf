# A pool on an unused disk, and a storage on it.
resource "proxmox_node_zfs_pool" "tank" {
  node       = "pve1"
  name       = "tank"
  raid_level = "single"
  devices    = ["/dev/sdb"]
}

resource "proxmox_storage" "tank" {
  id      = "tank"
  nodes   = [proxmox_node_zfs_pool.tank.node]
  zfspool = { pool = proxmox_node_zfs_pool.tank.name }
}

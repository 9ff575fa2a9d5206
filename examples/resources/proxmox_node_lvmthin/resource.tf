# A thin pool on an unused disk, and a storage in it.
resource "proxmox_node_lvmthin" "thin" {
  node   = "pve3"
  name   = "thin"
  device = "/dev/sdb"
}

resource "proxmox_storage" "thin" {
  id    = "thin"
  nodes = [proxmox_node_lvmthin.thin.node]
  lvmthin = {
    volume_group = proxmox_node_lvmthin.thin.volume_group
    thin_pool    = proxmox_node_lvmthin.thin.name
  }
}

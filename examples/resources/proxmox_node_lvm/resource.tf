# A volume group on an unused disk, and a storage in it.
resource "proxmox_node_lvm" "fast" {
  node   = "pve2"
  name   = "fast"
  device = "/dev/sdb"
}

resource "proxmox_storage" "fast" {
  id    = "fast"
  nodes = [proxmox_node_lvm.fast.node]
  lvm   = { volume_group = proxmox_node_lvm.fast.name }
}

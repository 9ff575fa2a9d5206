# A file system for backups on an unused disk, and a storage in it.
resource "proxmox_node_directory" "backup" {
  node       = "pve1"
  name       = "backup"
  device     = "/dev/sdc"
  filesystem = "xfs"
}

resource "proxmox_storage" "backup" {
  id      = "backup"
  nodes   = [proxmox_node_directory.backup.node]
  content = ["backup"]
  dir = {
    path        = proxmox_node_directory.backup.path
    mount_point = "yes"
  }
}

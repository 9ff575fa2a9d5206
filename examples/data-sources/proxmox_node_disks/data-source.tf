# The unused disks of a node, by the paths that stay the same.
data "proxmox_node_disks" "unused" {
  node   = "pve1"
  unused = true
}

output "disks" {
  value = {
    for disk in data.proxmox_node_disks.unused.disks :
    disk.id_link => "${disk.model}, ${floor(disk.size_bytes / pow(1000, 3))} GB"
  }
}

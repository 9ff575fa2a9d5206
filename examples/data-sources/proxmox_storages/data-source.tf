# Storages for VM disks on one node.
data "proxmox_storages" "disks" {
  node    = "pve1"
  content = "images"
  enabled = true
}

output "free_gib" {
  value = {
    for storage in data.proxmox_storages.disks.storages :
    storage.name => floor(storage.free_bytes / pow(1024, 3)) if storage.active
  }
}

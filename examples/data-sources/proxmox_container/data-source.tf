# By name, which must be unique, or by VMID.
data "proxmox_container" "cache" {
  name = "cache"
}

output "root_size" {
  value = data.proxmox_container.cache.mounts["rootfs"].size
}

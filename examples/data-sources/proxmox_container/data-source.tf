resource "proxmox_container_template" "base" {
  storage = "nas"
  node    = "pve1"
  name    = "alpine-3.22-default"
}

resource "proxmox_container" "cache" {
  name   = "cache"
  node   = "pve1"
  image  = { volume = proxmox_container_template.base.volume_id }
  mounts = { rootfs = { storage = "local-lvm", size = "1G" } }
}

# By VMID, or by name, which must be unique.
data "proxmox_container" "cache" {
  vmid = proxmox_container.cache.vmid
}

output "root_size" {
  value = data.proxmox_container.cache.mounts["rootfs"].size
}

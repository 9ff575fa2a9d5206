# One storage: where it is, and the space that is left on each node.
data "proxmox_storage" "local" {
  id = "local"
}

output "free_on_local" {
  value = {
    for node, seen in data.proxmox_storage.local.status :
    node => floor(seen.free_bytes / pow(1024, 3)) if seen.active
  }
}

output "path" {
  value = data.proxmox_storage.local.options["path"]
}

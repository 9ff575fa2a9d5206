# A shared storage is the same from every node.
data "proxmox_files" "talos" {
  storage = "nas"
  content = "iso"
  name    = "talos-*.iso"
  newest  = true
}

# A storage that is not shared requires the node, too.
data "proxmox_files" "images" {
  storage = "local"
  node    = "pve1"
  content = "import"
}

output "talos_iso" {
  value = one(values(data.proxmox_files.talos.volume_ids)) # null if there is none
}

output "images" {
  value = keys(data.proxmox_files.images.volume_ids)
}

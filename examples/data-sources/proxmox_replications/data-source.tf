# Jobs whose copies would be lost with a node.
data "proxmox_replications" "to_pve2" {
  target = "pve2"
}

output "copied_to_pve2" {
  value = data.proxmox_replications.to_pve2.ids
}

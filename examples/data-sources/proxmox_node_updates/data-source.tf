data "proxmox_node_updates" "proxmox" {
  node   = "pve1"
  origin = "Proxmox"
}

output "outdated_packages" {
  value = data.proxmox_node_updates.proxmox.packages
}

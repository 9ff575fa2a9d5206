data "proxmox_node" "pve1" {
  name = "pve1"
}

output "pve1_version" {
  value = data.proxmox_node.pve1.version
}

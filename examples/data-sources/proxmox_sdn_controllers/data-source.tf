data "proxmox_sdn_controllers" "evpn" {
  type = "evpn"
}

output "controllers" {
  value = data.proxmox_sdn_controllers.evpn.ids
}

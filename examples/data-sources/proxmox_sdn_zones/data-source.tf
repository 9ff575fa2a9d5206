data "proxmox_sdn_zones" "vlan" {
  type = "vlan"
}

# The state of each zone on each node.
output "zones" {
  value = { for zone in data.proxmox_sdn_zones.vlan.zones : zone.id => zone.status }
}

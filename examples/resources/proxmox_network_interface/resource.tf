# A VLAN-aware bridge for guests, without an address of the node.
resource "proxmox_network_interface" "guests" {
  node    = "pve1"
  name    = "vmbr2"
  comment = "guests"
  bridge  = { vlan_aware = true }
}

# An address of the node in a VLAN of that bridge.
resource "proxmox_network_interface" "storage" {
  node = proxmox_network_interface.guests.node
  name = "${proxmox_network_interface.guests.name}.30"
  ipv4 = { address = "10.30.1.11/24" }
  vlan = {}
}

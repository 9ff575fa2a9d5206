# VLANs of a bridge that every node has.
resource "proxmox_sdn_zone" "site" {
  id   = "site"
  vlan = { bridge = "vmbr0" }
}

# An isolated network on each node, with DHCP.
resource "proxmox_sdn_zone" "lab" {
  id     = "lab"
  ipam   = "pve"
  simple = { dhcp = "dnsmasq" }
}

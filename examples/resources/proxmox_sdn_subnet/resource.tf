resource "proxmox_sdn_zone" "nat" {
  id     = "nat"
  ipam   = "pve"
  simple = { dhcp = "dnsmasq" }
}

resource "proxmox_sdn_vnet" "guests" {
  id   = "guests"
  zone = proxmox_sdn_zone.nat.id
}

resource "proxmox_sdn_subnet" "guests" {
  vnet    = proxmox_sdn_vnet.guests.id
  cidr    = "10.30.0.0/24"
  gateway = "10.30.0.1"
  snat    = true

  dhcp_ranges = [{ start = "10.30.0.100", end = "10.30.0.199" }]
}

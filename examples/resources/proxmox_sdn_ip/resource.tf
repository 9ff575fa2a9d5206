resource "proxmox_sdn_zone" "leases" {
  id     = "leases"
  ipam   = "pve"
  simple = { dhcp = "dnsmasq" }
}

resource "proxmox_sdn_vnet" "leases" {
  id   = "leases"
  zone = proxmox_sdn_zone.leases.id
}

resource "proxmox_sdn_subnet" "leases" {
  vnet    = proxmox_sdn_vnet.leases.id
  cidr    = "10.40.0.0/24"
  gateway = "10.40.0.1"

  dhcp_ranges = [{ start = "10.40.0.100", end = "10.40.0.199" }]
}

# The printer always gets the same address.
resource "proxmox_sdn_ip" "printer" {
  vnet = proxmox_sdn_subnet.leases.vnet
  ip   = "10.40.0.10"
  mac  = "BC:24:11:00:00:10"
}

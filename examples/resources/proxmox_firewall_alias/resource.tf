resource "proxmox_firewall_alias" "office" {
  name    = "office"
  cidr    = "198.51.100.0/24"
  comment = "the office in town"
}

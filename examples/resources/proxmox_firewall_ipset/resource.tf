resource "proxmox_firewall_ipset" "admins" {
  name    = "admins"
  comment = "who may reach the nodes"

  entries = {
    "198.51.100.0/24" = { comment = "the office" }
    "198.51.100.66"   = { nomatch = true }
    "2001:db8::/64"   = {}
  }
}

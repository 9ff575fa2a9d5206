resource "proxmox_firewall_security_group" "web" {
  name    = "web"
  comment = "web servers"

  rules = [
    { type = "in", action = "ACCEPT", macro = "HTTPS" },
    { type = "in", action = "ACCEPT", macro = "HTTP", comment = "redirects to HTTPS" },
  ]
}

variable "powerdns_key" {
  type      = string
  sensitive = true
  default   = "0123456789abcdef"
}

resource "proxmox_sdn_dns" "lab" {
  id  = "lab"
  url = "https://dns.example.com:8081/api/v1/servers/localhost"
  key = var.powerdns_key
  ttl = 300
}

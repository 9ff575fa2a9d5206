variable "netbox_token" {
  type      = string
  sensitive = true
  default   = "0123456789abcdef"
}

resource "proxmox_sdn_ipam" "netbox" {
  id     = "netbox"
  netbox = { url = "https://netbox.example.com/api", token = var.netbox_token }
}

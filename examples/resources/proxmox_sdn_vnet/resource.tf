resource "proxmox_sdn_zone" "campus" {
  id   = "campus"
  vlan = { bridge = "vmbr0" }
}

resource "proxmox_sdn_vnet" "web" {
  id    = "web"
  zone  = proxmox_sdn_zone.campus.id
  tag   = 20
  alias = "Web servers"
}

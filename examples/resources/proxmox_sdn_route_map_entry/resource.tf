resource "proxmox_sdn_prefix_list" "internal" {
  id      = "internal"
  entries = { 10 = { action = "permit", prefix = "10.0.0.0/8", le = 24 } }
}

resource "proxmox_sdn_route_map_entry" "internal" {
  route_map = "to-peers"
  order     = 10
  action    = "permit"
  match     = [{ key = "ip-address-prefix-list", value = proxmox_sdn_prefix_list.internal.id }]
  set       = [{ key = "local-preference", value = "200" }]
}

resource "proxmox_sdn_controller" "bgp" {
  id = "bgp-pve1"
  bgp = {
    node          = "pve1"
    asn           = 65001
    peers         = ["192.0.2.254"]
    route_map_out = proxmox_sdn_route_map_entry.internal.route_map
  }
}

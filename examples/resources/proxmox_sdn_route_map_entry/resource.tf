resource "proxmox_sdn_prefix_list" "offices" {
  id      = "offices"
  entries = { 10 = { action = "permit", prefix = "10.0.0.0/8", le = 24 } }
}

# `route_map_in` and `route_map_out` of a proxmox_sdn_controller name the map.
resource "proxmox_sdn_route_map_entry" "offices" {
  route_map = "to-peers"
  order     = 10
  action    = "permit"
  match     = [{ key = "ip-address-prefix-list", value = proxmox_sdn_prefix_list.offices.id }]
  set       = [{ key = "local-preference", value = "200" }]
}

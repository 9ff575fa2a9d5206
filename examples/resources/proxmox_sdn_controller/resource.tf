resource "proxmox_sdn_controller" "bgp" {
  id  = "bgp-pve1"
  bgp = { node = "pve1", asn = 65001, peers = ["192.0.2.254"] }
}

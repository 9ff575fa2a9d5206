resource "proxmox_sdn_fabric" "underlay" {
  id         = "underlay"
  ip_prefix  = "10.255.0.0/24"
  openfabric = { hello_interval = 1 }
}

resource "proxmox_sdn_fabric" "spine" {
  id         = "spine"
  ip_prefix  = "10.254.0.0/24"
  openfabric = {}
}

resource "proxmox_sdn_fabric_node" "pve1" {
  fabric     = proxmox_sdn_fabric.spine.id
  node       = "pve1"
  protocol   = "openfabric"
  ip         = "10.254.0.1"
  interfaces = { eth0 = {} }
}

resource "proxmox_node_time" "pve1" {
  node      = "pve1"
  time_zone = "Europe/Vienna"
}

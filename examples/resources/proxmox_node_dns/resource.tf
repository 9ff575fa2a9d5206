resource "proxmox_node_dns" "pve2" {
  node          = "pve2"
  search_domain = "example.com"
  servers       = ["192.0.2.53", "192.0.2.54"]
}

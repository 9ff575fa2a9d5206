data "proxmox_sdn_fabrics" "all" {}

output "fabric_addresses" {
  value = { for fabric in data.proxmox_sdn_fabrics.all.fabrics : fabric.id => fabric.nodes[*].ip }
}

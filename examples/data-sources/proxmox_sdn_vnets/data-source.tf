data "proxmox_sdn_vnets" "all" {}

output "tags" {
  value = { for vnet in data.proxmox_sdn_vnets.all.vnets : vnet.id => vnet.tag }
}

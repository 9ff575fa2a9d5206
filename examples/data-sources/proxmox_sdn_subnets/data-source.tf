data "proxmox_sdn_subnets" "all" {}

output "networks" {
  value = { for subnet in data.proxmox_sdn_subnets.all.subnets : subnet.cidr => subnet.gateway }
}

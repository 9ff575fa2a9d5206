data "proxmox_groups" "all" {}

output "members_by_group" {
  value = { for group in data.proxmox_groups.all.groups : group.id => group.members }
}

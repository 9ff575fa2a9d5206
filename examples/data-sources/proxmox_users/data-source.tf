data "proxmox_users" "disabled" {
  id      = "*@pve"
  enabled = false
}

output "disabled_users" {
  value = data.proxmox_users.disabled.ids
}

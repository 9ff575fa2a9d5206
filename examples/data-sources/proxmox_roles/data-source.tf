data "proxmox_roles" "console" {
  privilege = "VM.Console"
}

output "roles_with_console" {
  value = data.proxmox_roles.console.ids
}

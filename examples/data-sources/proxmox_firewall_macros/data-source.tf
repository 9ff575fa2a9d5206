data "proxmox_firewall_macros" "mail" {
  name = "*MAP*"
}

output "mail" {
  value = { for macro in data.proxmox_firewall_macros.mail.macros : macro.name => macro.description }
}

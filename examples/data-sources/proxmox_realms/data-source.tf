data "proxmox_realms" "directories" {
  type = "ldap"
}

output "directories" {
  value = { for realm in data.proxmox_realms.directories.realms : realm.id => realm.comment }
}

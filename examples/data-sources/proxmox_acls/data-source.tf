data "proxmox_acls" "administrators" {
  path = "/"
  role = "Administrator"
}

output "administrators" {
  value = data.proxmox_acls.administrators.acls[*].subject
}

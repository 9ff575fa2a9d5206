# The newest backup of each VM.
data "proxmox_backups" "vms" {
  storage = "nas"
  type    = "vm"
}

output "newest" {
  value = data.proxmox_backups.vms.newest
}

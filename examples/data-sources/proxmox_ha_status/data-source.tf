data "proxmox_ha_status" "failed" {
  kind  = "service"
  state = "error"
}

output "failed_guests" {
  value = data.proxmox_ha_status.failed.entries[*].sid
}

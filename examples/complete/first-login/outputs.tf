output "teams" {
  description = "What each team may operate."
  value       = { for team, entry in proxmox_acl.teams : team => entry.path }
}

output "network" {
  description = "Gateway of the guests."
  value       = proxmox_sdn_subnet.guests.gateway
}

output "backups" {
  description = "Storage of the backups."
  value       = proxmox_backup_job.nightly.storage
}

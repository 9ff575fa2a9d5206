output "restored" {
  description = "The archive that each copy was restored from."
  value = merge(
    { for name, vm in proxmox_vm.drill : name => vm.restore.archive },
    { for name, container in proxmox_container.drill : name => container.restore.archive },
  )
}

output "not_covered" {
  description = "VMIDs of guests that no job backs up."
  value       = [for guest in data.proxmox_backup_coverage.missing.guests : guest.vmid]
}

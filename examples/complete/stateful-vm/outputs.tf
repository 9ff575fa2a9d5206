output "vmid" {
  description = "The VM, which changes with each replacement."
  value       = proxmox_vm.server.vmid
}

output "data_volume" {
  description = "The disk, which stays."
  value       = proxmox_disk.data.volume
}

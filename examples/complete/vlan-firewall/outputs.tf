output "vmids" {
  description = "VMIDs of the servers."
  value       = { for vm in proxmox_vm.web : vm.name => vm.vmid }
}

output "rules" {
  description = "What each server lets in."
  value       = proxmox_firewall_policy.web[0].table
}

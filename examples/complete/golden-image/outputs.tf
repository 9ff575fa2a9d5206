output "image" {
  description = "Volume the template was made from."
  value       = proxmox_download.image.volume_id
}

output "template" {
  description = "VMID of the template."
  value       = proxmox_vm.template.vmid
}

output "vmids" {
  description = "VMID of every VM, by name."
  value       = { for vm in proxmox_vm.app : vm.name => vm.vmid }
}

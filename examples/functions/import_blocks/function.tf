data "proxmox_vms" "monitoring" {
  name = "monitoring-*"
}

# terraform output -raw imports > imports.tf
output "imports" {
  value = provider::proxmox::import_blocks(data.proxmox_vms.monitoring.vms)
}

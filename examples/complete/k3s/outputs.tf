# Scripts depend on these names.

output "api_endpoint" {
  description = "Where kubectl finds the cluster."
  value       = "https://${local.addresses[local.first]}:6443"
}

output "node_addresses" {
  description = "Address of every node, by name."
  value       = local.addresses
}

output "servers" {
  description = "Addresses of the servers, by name."
  value       = { for name, address in local.addresses : name => address if local.nodes[name].role == "server" }
}

output "vmids" {
  description = "VMID of every node, by name."
  value       = { for name, vm in proxmox_vm.node : name => vm.vmid }
}

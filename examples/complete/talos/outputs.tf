# The input of `talosctl gen config`, `apply-config` and `bootstrap`. Scripts depend on these names.

output "control_plane_endpoints" {
  description = "Kubernetes API endpoints, in order; the first is the one to bootstrap."
  value       = [for name, vm in proxmox_vm.node : "https://${vm.ipv4_address}:6443" if local.nodes[name].role == "controlplane"]
}

output "node_addresses" {
  description = "Address of every node, by name."
  value       = { for name, vm in proxmox_vm.node : name => vm.ipv4_address }
}

output "control_planes" {
  description = "Addresses of the control planes, by name."
  value       = { for name, vm in proxmox_vm.node : name => vm.ipv4_address if local.nodes[name].role == "controlplane" }
}

output "workers" {
  description = "Addresses of the workers, with and without GPU, by name."
  value       = { for name, vm in proxmox_vm.node : name => vm.ipv4_address if local.nodes[name].role == "worker" }
}

output "vmids" {
  description = "VMID of every node, by name."
  value       = { for name, vm in proxmox_vm.node : name => vm.vmid }
}

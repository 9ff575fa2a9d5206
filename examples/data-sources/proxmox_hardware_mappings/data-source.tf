data "proxmox_hardware_mappings" "gpus" {
  type = "pci"
}

# Nodes on which each mapped device can be used.
output "nodes_by_device" {
  value = { for mapping in data.proxmox_hardware_mappings.gpus.mappings : mapping.name => mapping.nodes }
}

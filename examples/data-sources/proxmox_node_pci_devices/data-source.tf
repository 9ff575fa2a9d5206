data "proxmox_node_pci_devices" "gpus" {
  node  = "pve1"
  class = "0x03*"
}

output "gpus" {
  value = { for gpu in data.proxmox_node_pci_devices.gpus.devices : gpu.id => gpu.device_name }
}

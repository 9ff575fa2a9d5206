data "proxmox_node_usb_devices" "all" {
  node = "pve1"
}

output "usb_devices" {
  value = data.proxmox_node_usb_devices.all.ids
}

# NODE/NAME
terraform import proxmox_network_interface.guests pve1/vmbr2

# By type (pci, usb or dir) and name.
terraform import proxmox_hardware_mapping.network_card pci/fast-nic
terraform import proxmox_hardware_mapping.licence_key usb/licence-key
terraform import proxmox_hardware_mapping.share dir/share

# By service ID: vm: or ct: and the VMID.
terraform import proxmox_ha_resource.shop vm:101

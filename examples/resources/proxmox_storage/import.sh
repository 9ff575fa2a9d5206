# By ID.
terraform import proxmox_storage.iso nas-iso

# By its name.
terraform import proxmox_group.operators operators

# By its name.
terraform import proxmox_role.operator Operator

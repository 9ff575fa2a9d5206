# By node and name.
terraform import proxmox_node_lvmthin.thin pve3/thin

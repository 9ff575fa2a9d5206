# By node and name.
terraform import proxmox_node_lvm.fast pve2/fast

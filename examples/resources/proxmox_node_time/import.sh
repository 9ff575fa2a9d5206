# By the name of the node.
terraform import proxmox_node_time.pve1 pve1

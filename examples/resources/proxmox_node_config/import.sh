# By the name of the node.
terraform import proxmox_node_config.pve1 pve1

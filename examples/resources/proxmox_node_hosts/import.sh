# By the name of the node.
terraform import proxmox_node_hosts.pve1 pve1

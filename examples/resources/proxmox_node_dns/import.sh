# By the name of the node.
terraform import proxmox_node_dns.pve2 pve2

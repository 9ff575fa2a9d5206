# By the name of the node.
terraform import proxmox_node_certificate.pve2 pve2

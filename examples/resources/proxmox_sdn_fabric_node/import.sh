# FABRIC/NODE
terraform import proxmox_sdn_fabric_node.pve1 spine/pve1

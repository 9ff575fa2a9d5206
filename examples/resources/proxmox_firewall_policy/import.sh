# By its owner: cluster, node/NAME, guest/VMID or vnet/NAME.
terraform import proxmox_firewall_policy.node node/pve2

# By its owner: cluster, node/NAME, guest/VMID or vnet/NAME.
terraform import proxmox_firewall_options.cluster cluster
terraform import proxmox_firewall_options.node node/pve1

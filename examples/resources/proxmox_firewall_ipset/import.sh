# By name; a set of a guest by guest/VMID/NAME.
terraform import proxmox_firewall_ipset.admins admins

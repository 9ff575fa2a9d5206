terraform import proxmox_sdn_ipam.netbox netbox

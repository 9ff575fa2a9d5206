terraform import proxmox_sdn_vnet.web web

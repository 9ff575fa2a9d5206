terraform import proxmox_sdn_zone.site site

terraform import proxmox_sdn_dns.lab lab

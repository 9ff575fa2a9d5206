# By name.
terraform import proxmox_firewall_security_group.web web

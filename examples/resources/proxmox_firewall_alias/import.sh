# By name.
terraform import proxmox_firewall_alias.office office

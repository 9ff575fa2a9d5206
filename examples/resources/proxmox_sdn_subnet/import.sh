# VNET/CIDR
terraform import proxmox_sdn_subnet.guests guests/10.30.0.0/24

# VNET/IP
terraform import proxmox_sdn_ip.printer leases/10.40.0.10

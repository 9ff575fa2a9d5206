# ROUTE_MAP/ORDER
terraform import proxmox_sdn_route_map_entry.internal to-peers/10

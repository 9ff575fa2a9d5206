# ROUTE_MAP/ORDER
terraform import proxmox_sdn_route_map_entry.offices to-peers/10

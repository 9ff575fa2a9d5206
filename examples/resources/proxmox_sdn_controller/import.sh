terraform import proxmox_sdn_controller.bgp bgp-pve1

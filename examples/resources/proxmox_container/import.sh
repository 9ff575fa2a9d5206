# By VMID, node/VMID, or name.
terraform import proxmox_container.web web

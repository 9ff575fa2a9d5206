# By node and name.
terraform import proxmox_node_directory.backup pve1/backup

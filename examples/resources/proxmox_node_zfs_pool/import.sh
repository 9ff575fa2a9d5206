# By node and name.
terraform import proxmox_node_zfs_pool.tank pve1/tank

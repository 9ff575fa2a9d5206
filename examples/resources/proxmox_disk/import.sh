# By node and volume ID; the node can be left out where the storage is shared.
terraform import proxmox_disk.data pve1/local-lvm:vm-900000000-db-data

# By the pool and the name of the storage, or the VMID: shared/vm/9000
terraform import proxmox_pool_member.local shared/storage/local

# By its name; a pool inside another by both names.
terraform import proxmox_pool.prod prod
terraform import proxmox_pool.web prod/web

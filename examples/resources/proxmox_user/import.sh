# By name and realm.
terraform import proxmox_user.ann ann@pve

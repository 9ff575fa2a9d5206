# By the node and the handle, or the file and the position in it.
terraform import proxmox_apt_repository.free pve1/no-subscription
terraform import proxmox_apt_repository.enterprise pve1/enterprise

# By VMID and name.
terraform import proxmox_snapshot.before_upgrade 101/before-upgrade

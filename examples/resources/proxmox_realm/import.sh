# By the name of the realm.
terraform import proxmox_realm.directory example

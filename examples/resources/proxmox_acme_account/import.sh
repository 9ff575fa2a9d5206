# By its name.
terraform import proxmox_acme_account.default default

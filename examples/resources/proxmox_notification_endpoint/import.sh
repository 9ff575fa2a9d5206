# By type and name.
terraform import proxmox_notification_endpoint.mail smtp/on-call

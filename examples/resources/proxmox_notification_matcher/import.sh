# By name.
terraform import proxmox_notification_matcher.backups failed-backups

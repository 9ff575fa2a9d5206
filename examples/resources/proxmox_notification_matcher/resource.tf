resource "proxmox_notification_matcher" "backups" {
  name             = "failed-backups"
  match_fields     = ["exact:type=vzdump"]
  match_severities = ["error"]
  targets          = ["mail-to-root"]
  comment          = "backups that failed"
}

# terraform apply -invoke=action.proxmox_notification_test.mail
action "proxmox_notification_test" "mail" {
  config {
    target = "mail-to-root"
  }
}

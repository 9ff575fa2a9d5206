# terraform apply -invoke=action.proxmox_container_reboot.web
action "proxmox_container_reboot" "web" {
  config {
    vmid    = 101
    timeout = "5m"
  }
}

# terraform apply -invoke=action.proxmox_container_shutdown.web
action "proxmox_container_shutdown" "web" {
  config {
    vmid    = 101
    timeout = "5m"
    force   = true
  }
}

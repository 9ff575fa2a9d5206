# terraform apply -invoke=action.proxmox_container_rollback.web
action "proxmox_container_rollback" "web" {
  config {
    vmid  = 101
    name  = "before-upgrade"
    start = true
  }
}

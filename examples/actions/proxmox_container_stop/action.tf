# terraform apply -invoke=action.proxmox_container_stop.web
action "proxmox_container_stop" "web" {
  config {
    vmid              = 101
    overrule_shutdown = true
  }
}

# terraform apply -invoke=action.proxmox_container_suspend.web
action "proxmox_container_suspend" "web" {
  config {
    vmid = 101
  }
}

# terraform apply -invoke=action.proxmox_container_start.web
action "proxmox_container_start" "web" {
  config {
    vmid    = 101
    timeout = "2m"
  }
}

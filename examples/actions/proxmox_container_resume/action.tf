# terraform apply -invoke=action.proxmox_container_resume.web
action "proxmox_container_resume" "web" {
  config {
    vmid = 101
  }
}

# terraform apply -invoke=action.proxmox_container_migrate.web
action "proxmox_container_migrate" "web" {
  config {
    vmid = 101
    node = "pve2"
  }
}

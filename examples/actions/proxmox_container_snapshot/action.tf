# terraform apply -invoke=action.proxmox_container_snapshot.web
action "proxmox_container_snapshot" "web" {
  config {
    vmid        = 101
    name        = "before-upgrade"
    description = "Taken by Terraform"
  }
}

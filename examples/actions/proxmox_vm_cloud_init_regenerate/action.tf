# terraform apply -invoke=action.proxmox_vm_cloud_init_regenerate.web
action "proxmox_vm_cloud_init_regenerate" "web" {
  config {
    vmid = 101
  }
}

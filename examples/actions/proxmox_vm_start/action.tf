# terraform apply -invoke=action.proxmox_vm_start.web
action "proxmox_vm_start" "web" {
  config {
    vmid    = 101
    timeout = "2m"
  }
}

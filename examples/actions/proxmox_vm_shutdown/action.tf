# terraform apply -invoke=action.proxmox_vm_shutdown.web
action "proxmox_vm_shutdown" "web" {
  config {
    vmid    = 101
    timeout = "5m"
    force   = true
  }
}

# terraform apply -invoke=action.proxmox_vm_reboot.web
action "proxmox_vm_reboot" "web" {
  config {
    vmid    = 101
    timeout = "5m"
  }
}

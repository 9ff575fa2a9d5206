# terraform apply -invoke=action.proxmox_vm_fstrim.web
action "proxmox_vm_fstrim" "web" {
  config {
    vmid = 101
  }
}

# terraform apply -invoke=action.proxmox_vm_reset.web
action "proxmox_vm_reset" "web" {
  config {
    vmid = 101
  }
}

# terraform apply -invoke=action.proxmox_vm_suspend.web
action "proxmox_vm_suspend" "web" {
  config {
    vmid          = 101
    to_disk       = true
    state_storage = "local-lvm"
  }
}

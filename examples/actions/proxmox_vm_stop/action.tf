# terraform apply -invoke=action.proxmox_vm_stop.web
action "proxmox_vm_stop" "web" {
  config {
    vmid              = 101
    overrule_shutdown = true
  }
}

# Puts a VM back to a snapshot:
#   terraform apply -invoke=action.proxmox_vm_rollback.undo
action "proxmox_vm_rollback" "undo" {
  config {
    vmid  = 101
    name  = "before-upgrade"
    start = true
  }
}

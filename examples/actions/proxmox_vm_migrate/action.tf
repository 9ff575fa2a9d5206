# Empties a node before its maintenance:
#   terraform apply -invoke=action.proxmox_vm_migrate.web
action "proxmox_vm_migrate" "web" {
  config {
    vmid            = 101
    node            = "pve2"
    bandwidth_limit = 200000
  }
}

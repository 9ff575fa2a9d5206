# terraform apply -invoke=action.proxmox_sdn_rollback.all
action "proxmox_sdn_rollback" "all" {
  config {
    break_lock = true
  }
}

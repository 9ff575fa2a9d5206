# terraform apply -invoke=action.proxmox_sdn_apply.now
action "proxmox_sdn_apply" "now" {
  config {}
}

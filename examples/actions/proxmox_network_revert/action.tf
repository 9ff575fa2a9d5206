# terraform apply -invoke=action.proxmox_network_revert.pve1
action "proxmox_network_revert" "pve1" {
  config {
    node = "pve1"
  }
}

# terraform apply -invoke=action.proxmox_network_apply.pve1
action "proxmox_network_apply" "pve1" {
  config {
    node = "pve1"
  }
}

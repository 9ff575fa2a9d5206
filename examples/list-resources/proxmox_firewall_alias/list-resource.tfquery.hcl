list "proxmox_firewall_alias" "all" {
  provider = proxmox
}

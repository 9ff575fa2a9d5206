list "proxmox_firewall_security_group" "all" {
  provider = proxmox
}

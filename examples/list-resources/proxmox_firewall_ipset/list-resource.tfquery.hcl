list "proxmox_firewall_ipset" "all" {
  provider = proxmox
}

resource "proxmox_firewall_options" "cluster" {
  cluster = {
    enabled   = true
    policy_in = "DROP"
  }
}

resource "proxmox_firewall_options" "node" {
  node = {
    node         = "pve1"
    log_level_in = "info"
  }
}

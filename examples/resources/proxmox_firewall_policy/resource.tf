# Of a node. With `vmid`, `vnet` or none of them it is the firewall of a guest, a vnet or the cluster.
resource "proxmox_firewall_policy" "node" {
  node = "pve2"

  options = {
    enabled      = true
    log_level_in = "info"
  }

  rules = [
    { type = "in", action = "ACCEPT", macro = "SSH", source = "198.51.100.0/24", comment = "administrators" },
    { type = "in", action = "ACCEPT", proto = "tcp", dport = "8006", source = "198.51.100.0/24" },
    { type = "in", action = "DROP", macro = "SSH" },
  ]
}

output "node_rules" {
  value = proxmox_firewall_policy.node.table
}

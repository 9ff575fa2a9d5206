# Of the cluster. With `node`, `vmid` or `vnet` the rules are those of a node, a guest or a vnet.
resource "proxmox_firewall_rules" "cluster" {
  rules = [
    { type = "in", action = "ACCEPT", macro = "SSH", source = "198.51.100.0/24", comment = "administrators" },
    { type = "in", action = "ACCEPT", proto = "tcp", dport = "8006", source = "198.51.100.0/24" },
    { type = "in", action = "DROP", macro = "SSH", log = "info" },
  ]
}

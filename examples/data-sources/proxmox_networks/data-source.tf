# Bridges the token may connect VMs to, wherever they are.
data "proxmox_networks" "bridges" {
  type = "bridge"
}

# Bridges that every node has, so that VMs can move between the nodes.
output "everywhere" {
  value = [
    for name, nodes in data.proxmox_networks.bridges.nodes : name
    if length(nodes) == max([for others in data.proxmox_networks.bridges.nodes : length(others)]...)
  ]
}

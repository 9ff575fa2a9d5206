# Bridges on any node that the token may connect VMs to.
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

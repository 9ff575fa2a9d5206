data "proxmox_nodes" "online" {
  online = true
}

# Spreads six machines over the nodes that are there.
output "placement" {
  value = {
    for index in range(6) :
    "worker-${index}" => element(data.proxmox_nodes.online.names, index)
  }
}

output "addresses" {
  value = data.proxmox_nodes.online.addresses # by name of the node
}

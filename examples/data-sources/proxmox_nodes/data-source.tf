data "proxmox_nodes" "online" {
  online = true
}

# Distributes six machines over the online nodes.
output "placement" {
  value = {
    for index in range(6) :
    "worker-${index}" => element(data.proxmox_nodes.online.names, index)
  }
}

output "addresses" {
  value = data.proxmox_nodes.online.addresses # by name of the node
}

# All running containers with the tag, with their static addresses.
data "proxmox_containers" "workers" {
  tags      = ["worker"]
  status    = "running"
  addresses = "configured"
}

output "container_addresses" {
  value = data.proxmox_containers.workers.ipv4_addresses # by name of the container
}

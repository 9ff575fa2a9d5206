locals {
  disk = provider::proxmox::size("1.5T")
}

output "disk" {
  value = local.disk # { bytes = 1649267441664, canonical = "1536G" }
}

# Twice a size that is given as text.
output "twice" {
  value = provider::proxmox::size(2 * local.disk.bytes).canonical # "3T"
}

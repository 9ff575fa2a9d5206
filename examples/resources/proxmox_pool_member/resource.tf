resource "proxmox_pool" "shared" {
  id      = "shared"
  comment = "What several teams use"
}

# A storage that Terraform does not manage. A guest joins in the same way, with its VMID: `vmid = 9000`.
resource "proxmox_pool_member" "local" {
  pool    = proxmox_pool.shared.id
  storage = "local"
}

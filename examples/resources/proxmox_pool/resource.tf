resource "proxmox_pool" "prod" {
  id       = "prod"
  comment  = "What customers see"
  storages = ["ceph"]
}

# A pool inside another. VMs join with `pool = proxmox_pool.web.id`.
resource "proxmox_pool" "web" {
  id = "${proxmox_pool.prod.id}/web"
}

resource "proxmox_apt_repository" "free" {
  node       = "pve1"
  repository = "no-subscription"
}

resource "proxmox_apt_repository" "enterprise" {
  node       = "pve1"
  repository = "enterprise"
  enabled    = false
}

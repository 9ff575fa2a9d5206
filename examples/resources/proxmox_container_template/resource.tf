# The newest Debian template at the time of the creation.
resource "proxmox_container_template" "debian" {
  storage = "nas"
  name    = "debian-13-standard"
}

# A fixed version, on the local storage of one node.
resource "proxmox_container_template" "alpine" {
  storage = "local"
  node    = "pve1"
  name    = "alpine-3.22-default"
  version = "20250617"
}

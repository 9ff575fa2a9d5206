# terraform query -generate-config-out=found.tf
list "proxmox_container" "web" {
  provider = proxmox

  config {
    name     = "web-*"
    template = false
  }
}

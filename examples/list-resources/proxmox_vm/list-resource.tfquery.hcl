# terraform query -generate-config-out=found.tf
list "proxmox_vm" "web" {
  provider = proxmox

  config {
    name     = "web-*"
    template = false
  }
}

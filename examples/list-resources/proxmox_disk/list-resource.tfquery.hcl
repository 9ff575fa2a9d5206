# terraform query -generate-config-out=found.tf
list "proxmox_disk" "all" {
  provider = proxmox

  config {
    storage = "local-lvm"
  }
}

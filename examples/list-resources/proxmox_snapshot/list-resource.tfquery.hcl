# terraform query -generate-config-out=found.tf
list "proxmox_snapshot" "db" {
  provider = proxmox

  config {
    vmid = 101
  }
}

resource "proxmox_download" "debian" {
  storage  = "nas"
  content  = "import"
  url      = "https://cloud.example.com/images/debian-13-genericcloud-amd64.qcow2"
  checksum = "sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"
}

# The golden image and a VM created from it, in one apply.
resource "proxmox_vm" "debian" {
  name  = "debian"
  node  = "pve1"
  power = "stopped"

  disks = { scsi0 = { storage = "local-lvm", import_from = proxmox_download.debian.volume_id, size = "20G" } }
}

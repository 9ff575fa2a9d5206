resource "proxmox_disk" "data" {
  storage = "local-lvm"
  node    = "pve1"
  name    = "db-data"
  size    = "100G"
}

# Destroying or replacing this VM leaves the disk as it is.
resource "proxmox_vm" "store" {
  name  = "store-1"
  node  = proxmox_disk.data.node
  clone = { template = "ubuntu-24.04-cloud" }

  disks = { scsi1 = { volume = proxmox_disk.data.volume } }
}

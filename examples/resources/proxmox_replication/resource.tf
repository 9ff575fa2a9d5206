# Copies the volumes of guest 102, which are on ZFS, to another node each half hour.
resource "proxmox_replication" "db" {
  id       = "102-0"
  target   = "pve2"
  schedule = "*/30"
  rate     = 100
}

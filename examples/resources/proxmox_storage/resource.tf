# Images and templates from a file server …
resource "proxmox_storage" "iso" {
  id      = "nas-iso"
  content = ["iso", "vztmpl"]
  nfs = {
    server  = "nas.example.com"
    export  = "/volume1/iso"
    options = "vers=4.2"
  }
}

# … a directory for backups on one node …
resource "proxmox_storage" "backup" {
  id      = "backup"
  content = ["backup"]
  nodes   = ["pve1"]
  dir     = { path = "/srv/backup" }
  prune   = { keep_last = 3, keep_weekly = 4 }
}

# … and a volume group that every node sees.
resource "proxmox_storage" "san" {
  id  = "san"
  lvm = { volume_group = "vg-san", shared = true }
}

# All guests but one, each night …
resource "proxmox_backup_job" "nightly" {
  id          = "nightly"
  schedule    = "21:00"
  all         = true
  exclude     = [9000]
  storage     = "nas"
  compression = "zstd"
  prune       = { keep_daily = 7, keep_weekly = 4 }

  notification_mode = "notification-system"
}

# … and the most important pool each half hour of a working day.
resource "proxmox_pool" "important" {
  id = "important"
}

resource "proxmox_backup_job" "important" {
  id             = "important"
  schedule       = "mon..fri 8..18:0/30"
  pool           = proxmox_pool.important.id
  storage        = "nas"
  prune          = { keep_last = 20 }
  notes_template = "{{guestname}} on {{node}}"
}

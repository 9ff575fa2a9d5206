# An image next to this configuration, uploaded again whenever it changes.
resource "proxmox_file" "rescue" {
  storage = "nas"
  content = "iso"
  source  = "${path.module}/rescue.iso"
}

# The text of a small file.
resource "proxmox_file" "answers" {
  storage = "local"
  node    = "pve1"
  content = "iso"
  name    = "answers.img"
  text    = "keyboard = de\n"
}

resource "proxmox_vm" "rescue" {
  name   = "rescue"
  node   = "pve1"
  power  = "stopped"
  cdroms = { ide2 = { file = proxmox_file.rescue.volume_id } }
}

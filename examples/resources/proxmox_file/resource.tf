# An image that lies beside this configuration, uploaded again whenever it changes.
resource "proxmox_file" "rescue" {
  storage = "nas"
  content = "iso"
  source  = "${path.module}/rescue.iso"
}

# A small file can be written down here.
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

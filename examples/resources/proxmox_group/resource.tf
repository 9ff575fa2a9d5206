resource "proxmox_group" "operators" {
  id      = "operators"
  comment = "on call"
}

resource "proxmox_user" "bob" {
  id     = "bob@pve"
  groups = [proxmox_group.operators.id]
}

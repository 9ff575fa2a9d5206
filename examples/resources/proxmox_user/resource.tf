variable "ann_password" {
  type      = string
  default   = "change-me-at-once"
  ephemeral = true # sent to Proxmox VE, not stored in the plan or the state
}

resource "proxmox_user" "ann" {
  id         = "ann@pve"
  first_name = "Ann"
  email      = "ann@example.com"
  expire     = "2040-12-31T23:59:59Z"
  comment    = "on call"

  password         = var.ann_password
  password_version = 1 # raise it to send the password again
}

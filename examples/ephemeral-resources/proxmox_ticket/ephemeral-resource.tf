variable "ann_password" {
  type      = string
  ephemeral = true
}

# A login, as the web interface makes one; good for two hours, and never stored.
ephemeral "proxmox_ticket" "ann" {
  username = "ann@pve"
  password = var.ann_password
}

# What another program sends with its calls.
locals {
  headers = {
    Cookie              = "PVEAuthCookie=${ephemeral.proxmox_ticket.ann.ticket}"
    CSRFPreventionToken = ephemeral.proxmox_ticket.ann.csrf_token
  }
}

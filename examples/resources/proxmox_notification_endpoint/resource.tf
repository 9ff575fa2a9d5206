variable "mail_password" {
  type      = string
  default   = "the-password-of-the-mailbox"
  ephemeral = true # reaches Proxmox VE and neither the plan nor the state
}

resource "proxmox_notification_endpoint" "mail" {
  name = "on-call"
  smtp = {
    server           = "mail.example.com"
    mode             = "starttls"
    username         = "proxmox"
    password         = var.mail_password
    password_version = 1 # raise it to send the password again
    from_address     = "proxmox@example.com"
    mailto           = ["on-call@example.com"]
  }
}

resource "proxmox_notification_endpoint" "chat" {
  name = "chat"
  webhook = {
    url     = "https://chat.example.com/hooks/proxmox"
    method  = "post"
    headers = { Content-Type = "application/json" }
    body    = jsonencode({ text = "{{ title }}: {{ message }}" })
  }
}

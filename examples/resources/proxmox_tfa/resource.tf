variable "ops_password" {
  type      = string
  default   = "change-me-soon"
  ephemeral = true
}

# 32 letters and digits of base32, such as `head -c 20 /dev/urandom | base32` prints.
variable "ops_totp_secret" {
  type      = string
  default   = "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP"
  ephemeral = true
}

resource "proxmox_user" "ops" {
  id               = "ops-2fa@pve"
  password         = var.ops_password
  password_version = 1
}

# The code that Proxmox VE wants as a proof is computed from the secret. The state holds neither.
resource "proxmox_tfa" "phone" {
  user = proxmox_user.ops.id

  totp = {
    description    = "authenticator app"
    secret         = var.ops_totp_secret
    secret_version = 1
  }
}

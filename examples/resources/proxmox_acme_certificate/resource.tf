resource "proxmox_acme_certificate" "pve1" {
  node = "pve1"

  domains = {
    "pve1.example.com" = {}
  }

  revoke_on_destroy = true
  depends_on        = [proxmox_acme_account.default]
}

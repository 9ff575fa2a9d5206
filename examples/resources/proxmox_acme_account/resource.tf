# Proxmox VE lets only root@pam manage accounts: give `username` and `password` to the provider.
resource "proxmox_acme_account" "default" {
  name    = "default"
  contact = ["ops@example.com"]
  tos_url = "https://acme-v02.api.letsencrypt.org/terms"
}

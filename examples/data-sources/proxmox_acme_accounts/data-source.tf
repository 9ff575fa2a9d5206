data "proxmox_acme_accounts" "all" {}

output "acme_accounts" {
  value = data.proxmox_acme_accounts.all.names
}

data "proxmox_tokens" "all" {}

output "tokens_without_end" {
  value = [for token in data.proxmox_tokens.all.tokens : token.id if token.expire == null]
}

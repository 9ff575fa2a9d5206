data "proxmox_acme_plugins" "dns" {
  kind = "dns"
}

output "acme_dns_plugins" {
  value = data.proxmox_acme_plugins.dns.ids
}

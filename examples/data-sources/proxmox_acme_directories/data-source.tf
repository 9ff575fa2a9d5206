data "proxmox_acme_directories" "known" {}

output "acme_directories" {
  value = { for directory in data.proxmox_acme_directories.known.directories : directory.name => directory.url }
}

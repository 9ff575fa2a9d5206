data "proxmox_sdn_changes" "now" {}

# What waits for a commit, of any client.
output "waiting" {
  value = data.proxmox_sdn_changes.now.changes
}

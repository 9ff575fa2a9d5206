# Warns of guests that are in no backup job.
data "proxmox_backup_coverage" "missing" {}

check "backups" {
  assert {
    condition     = length(data.proxmox_backup_coverage.missing.vmids) == 0
    error_message = "No backup job covers ${join(", ", data.proxmox_backup_coverage.missing.vmids)}."
  }
}

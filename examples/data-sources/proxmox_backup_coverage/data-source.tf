# Warns of guests that are in no backup job.
check "backups" {
  data "proxmox_backup_coverage" "missing" {}

  assert {
    condition     = length(data.proxmox_backup_coverage.missing.vmids) == 0
    error_message = "No backup job covers ${join(", ", data.proxmox_backup_coverage.missing.vmids)}."
  }
}

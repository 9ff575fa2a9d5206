resource "proxmox_vm" "db" {
  name  = "db-1"
  vmid  = 101
  clone = { template = "ubuntu-24.04-cloud" }
}

# Kept as long as this block is in the configuration. Remove it when the upgrade has worked.
resource "proxmox_snapshot" "before_upgrade" {
  vmid        = proxmox_vm.db.vmid
  name        = "before-upgrade"
  description = "Before the upgrade to version 2"
  memory      = true
}

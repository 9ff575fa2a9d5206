# Backs a VM up before each change of it; it can also be run by hand:
#   terraform apply -invoke=action.proxmox_backup.before_change
action "proxmox_backup" "before_change" {
  config {
    vmids          = [101]
    storage        = "nas"
    notes_template = "{{guestname}}, before a change by Terraform"
  }
}

resource "proxmox_vm" "db" {
  name  = "db-1"
  vmid  = 101
  clone = { template = "ubuntu-24.04-cloud" }

  lifecycle {
    action_trigger {
      events  = [before_update]
      actions = [action.proxmox_backup.before_change]
    }
  }
}

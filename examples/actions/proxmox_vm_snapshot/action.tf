# Takes a snapshot before each change of the VM; it can also be run by hand:
#   terraform apply -invoke=action.proxmox_vm_snapshot.before_change
# Snapshots of one VM must have different names, so this one is named by the time of the plan.
action "proxmox_vm_snapshot" "before_change" {
  config {
    vmid        = 101
    name        = "before-${formatdate("YYYYMMDD-hhmmss", plantimestamp())}"
    description = "Taken by Terraform"
  }
}

resource "proxmox_vm" "db" {
  name  = "db-1"
  vmid  = 101
  clone = { template = "ubuntu-24.04-cloud" }

  lifecycle {
    action_trigger {
      events  = [before_update]
      actions = [action.proxmox_vm_snapshot.before_change]
    }
  }
}

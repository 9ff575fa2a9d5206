# Takes a snapshot before the VM is changed; it can also be asked for by hand:
#   terraform apply -invoke=action.proxmox_vm_snapshot.before_change
action "proxmox_vm_snapshot" "before_change" {
  config {
    vmid        = 101
    name        = "before-change"
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

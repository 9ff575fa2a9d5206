# Waits until cloud-init has completed, each time the VM is created.
action "proxmox_vm_exec" "cloud_init_status" {
  config {
    vmid       = 101
    command    = ["cloud-init", "status", "--wait"]
    exit_codes = [0, 2] # 2: completed with recoverable errors
    timeout    = "15m"
  }
}

resource "proxmox_vm" "web" {
  name  = "web-1"
  vmid  = 101
  clone = { template = "ubuntu-24.04-cloud" }
  agent = { enabled = true }

  lifecycle {
    action_trigger {
      events  = [after_create]
      actions = [action.proxmox_vm_exec.cloud_init_status]
    }
  }
}

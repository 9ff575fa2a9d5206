data "proxmox_permissions" "vms" {
  path = "/vms"
}

# Says early, and in words, what the token lacks.
check "may_clone" {
  assert {
    condition     = contains(data.proxmox_permissions.vms.privileges["/vms"], "VM.Clone")
    error_message = "${data.proxmox_permissions.vms.identity} needs VM.Clone on /vms."
  }
}

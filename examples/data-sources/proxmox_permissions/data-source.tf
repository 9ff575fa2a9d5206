data "proxmox_permissions" "vms" {
  path = "/vms"
}

# Reports missing privileges of the token early.
check "may_clone" {
  assert {
    condition     = contains(data.proxmox_permissions.vms.privileges["/vms"], "VM.Clone")
    error_message = "${data.proxmox_permissions.vms.identity} needs VM.Clone on /vms."
  }
}

resource "proxmox_pool" "lab" {
  id = "lab"
}

resource "proxmox_user" "bob" {
  id = "bob@pve"
}

# Bob may use the VMs of the lab: all current and future members of the pool.
resource "proxmox_acl" "lab_users" {
  path = "/pool/${proxmox_pool.lab.id}"
  role = "PVEVMUser"
  user = proxmox_user.bob.id
}

# He may also see, but not use, everything else; without `propagate`, the entry also applies below the path.
resource "proxmox_acl" "auditors" {
  path      = "/vms"
  role      = "PVEAuditor"
  user      = proxmox_user.bob.id
  propagate = true
}

resource "proxmox_pool" "lab" {
  id = "lab"
}

resource "proxmox_user" "bob" {
  id = "bob@pve"
}

# Bob may use the VMs of the lab: whatever is put into the pool, now and later.
resource "proxmox_acl" "lab_users" {
  path = "/pool/${proxmox_pool.lab.id}"
  role = "PVEVMUser"
  user = proxmox_user.bob.id
}

# And see, but not use, everything else; `propagate` left out means that it holds below the path, too.
resource "proxmox_acl" "auditors" {
  path      = "/vms"
  role      = "PVEAuditor"
  user      = proxmox_user.bob.id
  propagate = true
}

# By its name.
terraform import proxmox_ceph_pool.vms vms

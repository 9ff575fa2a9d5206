resource "proxmox_ceph_pool" "vms" {
  name              = "vms"
  size              = 3
  min_size          = 2
  pg_autoscale_mode = "on"
  target_size       = "2T"
}

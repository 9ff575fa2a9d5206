data "proxmox_ceph_status" "now" {}

check "ceph" {
  assert {
    condition     = !data.proxmox_ceph_status.now.installed || data.proxmox_ceph_status.now.health == "HEALTH_OK"
    error_message = "Ceph reports problems: ${join(", ", data.proxmox_ceph_status.now.problems)}"
  }
}

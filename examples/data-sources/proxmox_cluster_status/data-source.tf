data "proxmox_cluster_status" "now" {}

check "quorum" {
  assert {
    condition     = data.proxmox_cluster_status.now.quorate
    error_message = "The cluster has no quorum."
  }
}

resource "proxmox_node_certificate" "pve2" {
  node                = "pve2"
  certificate_chain   = file("${path.module}/pve2.pem")
  private_key         = file("${path.module}/pve2.key")
  private_key_version = 1
}

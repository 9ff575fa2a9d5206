resource "proxmox_node_hosts" "pve1" {
  node = "pve1"

  content = <<-EOT
    127.0.0.1 localhost.localdomain localhost
    192.0.2.11 pve1.example.com pve1
    192.0.2.20 nas.example.com nas
  EOT
}

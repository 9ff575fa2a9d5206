resource "proxmox_vm" "web" {
  name  = "web-1"
  clone = { template = "ubuntu-24.04-cloud" }

  cpu    = { cores = 2 }
  memory = { size = "4G" }

  # The disk and the network card come from the template: only the written settings change.
  disks    = { scsi0 = { size = "40G" } }
  networks = { net0 = { vlan = 20, ipv4 = { address = "192.0.2.11/24", gateway = "192.0.2.1" } } }

  cloud_init = { user = "ops", dns_servers = ["192.0.2.53"] }
  tags       = ["web"]
}

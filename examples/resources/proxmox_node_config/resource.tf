resource "proxmox_node_config" "pve1" {
  node                  = "pve1"
  description           = "rack 7, switch 2"
  startall_onboot_delay = 30
  wake_on_lan           = { mac = "BC:24:11:00:00:01" }
}

resource "proxmox_sdn_prefix_list" "internal" {
  id = "internal"
  entries = {
    10 = { action = "deny", prefix = "10.99.0.0/16", le = 32 }
    20 = { action = "permit", prefix = "10.0.0.0/8", ge = 16, le = 24 }
  }
}

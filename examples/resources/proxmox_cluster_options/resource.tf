# Only what is written is managed.
resource "proxmox_cluster_options" "this" {
  keyboard        = "de"
  email_from      = "pve@example.com"
  registered_tags = ["prod"]

  ha        = { shutdown_policy = "migrate" }
  migration = { type = "secure", network = "192.0.2.0/24" }
  next_id   = { lower = 1000, upper = 9999 }

  bandwidth_limits = { clone = 204800, restore = 102400 }

  tag_style = {
    shape     = "full"
    color_map = { prod = "b71c1c:ffffff" }
  }
}

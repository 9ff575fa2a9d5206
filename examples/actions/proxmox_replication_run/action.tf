# Copies once more, such as before the guest is moved by hand:
#   terraform apply -invoke=action.proxmox_replication_run.db
action "proxmox_replication_run" "db" {
  config {
    id = "102-0"
  }
}

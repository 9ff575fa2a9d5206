data "proxmox_tasks" "backups" {
  kind = "vzdump"
}

output "failed_backups" {
  value = [for task in data.proxmox_tasks.backups.tasks : task.upid if task.ended != null && task.status != "OK"]
}

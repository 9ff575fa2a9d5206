data "proxmox_container_templates" "system" {
  section = "system"
}

output "versions" {
  value = data.proxmox_container_templates.system.versions
}

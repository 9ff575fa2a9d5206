data "proxmox_cluster_resources" "templates" {
  kind = "qemu"
  name = "*-cloud"
}

output "templates_by_node" {
  value = { for one in data.proxmox_cluster_resources.templates.resources : one.name => one.node if one.template }
}

data "proxmox_firewall_refs" "sets" {
  type = "ipset"
}

output "sets" {
  value = data.proxmox_firewall_refs.sets.references
}

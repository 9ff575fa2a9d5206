# What an OVA file has in it, to write the VM by.
data "proxmox_import_source" "appliance" {
  volume = "nas:import/appliance.ova"
}

output "import_disks" {
  value = { for slot, disk in data.proxmox_import_source.appliance.disks : slot => disk.volume_id }
}

output "import_warnings" {
  value = data.proxmox_import_source.appliance.warnings[*].type
}

output "disk" {
  value = provider::proxmox::parse_volume_id("local-lvm:vm-100-disk-0").vmid # 100
}

output "image" {
  value = provider::proxmox::parse_volume_id("local:iso/debian-13.iso").name # "debian-13.iso"
}

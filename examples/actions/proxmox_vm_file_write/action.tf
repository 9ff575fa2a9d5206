# terraform apply -invoke=action.proxmox_vm_file_write.motd
action "proxmox_vm_file_write" "motd" {
  config {
    vmid    = 101
    path    = "/etc/motd"
    content = "Managed by Terraform.\n"
  }
}

# terraform apply -invoke=action.proxmox_vm_resume.web
action "proxmox_vm_resume" "web" {
  config {
    vmid = 101
  }
}

# terraform apply -invoke=action.proxmox_vm_set_password.ops -var ops_password=…
variable "ops_password" {
  type      = string
  sensitive = true
}

action "proxmox_vm_set_password" "ops" {
  config {
    vmid     = 101
    username = "ops"
    password = var.ops_password
  }
}

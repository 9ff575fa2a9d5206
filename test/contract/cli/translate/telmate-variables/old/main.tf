terraform {
  required_providers {
    proxmox = { source = "Telmate/proxmox" }
  }
}

variable "vmid" {
  type    = number
  default = 0
}

variable "boot" {
  type    = string
  default = "cdn"
}

variable "tags" {
  type    = string
  default = null
}

variable "iso" {
  type    = string
  default = null
}

variable "keys" {
  type    = string
  default = null
}

variable "memory" {
  type    = number
  default = 0
}

variable "servers" {
  type    = string
  default = ""
}

variable "hastate" {
  type    = string
  default = ""
}

variable "start" {
  type    = bool
  default = null
}

resource "proxmox_vm_qemu" "web" {
  count       = 2
  name        = "web-${count.index}"
  target_node = "pve1"
  clone       = "debian-13-cloud"
  vmid        = var.vmid
  memory      = var.memory
  boot        = var.boot
  tags        = var.tags
  iso         = var.iso
  sshkeys     = var.keys
  nameserver  = var.servers
  hastate     = var.hastate
  oncreate    = var.start
  ssh_user    = "admin"
  ipconfig0   = "ip=dhcp"
  agent       = 1

  network {
    id     = 0
    model  = "virtio"
    bridge = "vmbr0"
  }
}

resource "terraform_data" "inventory" {
  input = <<-EOT
    %{for one in proxmox_vm_qemu.web~}
    ${one.name} ansible_host=${one.ssh_host}
    %{endfor~}
  EOT
}

output "web" {
  value = {
    user    = proxmox_vm_qemu.web[0].ssh_user
    cards   = { for number, card in proxmox_vm_qemu.web[0].network : number => card.macaddr }
    bridge  = proxmox_vm_qemu.web[0].network[0].bridge
    address = proxmox_vm_qemu.web[0].ipconfig0
    port    = proxmox_vm_qemu.web[0].ssh_port
  }
}

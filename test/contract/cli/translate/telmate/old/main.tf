terraform {
  required_providers {
    proxmox = {
      source  = "Telmate/proxmox"
      version = "3.0.2-rc01"
    }
  }
}
provider "proxmox" {
  pm_api_url          = "https://pve:8006/api2/json"
  pm_api_token_id     = var.id
  pm_api_token_secret = var.secret
  pm_tls_insecure     = true
  pm_parallel         = 2
}
variable "id" {}
variable "secret" {}
variable "key" { default = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIKbvW3pdgyZCi0Q2OOpuzLq5Yk4mPyYSWlZrWnX1m0Rl ops" }
resource "proxmox_pool" "p" {
  poolid  = "prod"
  comment = "x"
}
resource "proxmox_vm_qemu" "web" {
  count       = 2
  name        = "web-${count.index}"
  vmid        = 500 + count.index
  target_node = "pve1"
  clone       = "ubuntu-24.04-cloud"
  full_clone  = true
  pool        = proxmox_pool.p.poolid
  agent       = 1
  os_type     = "cloud-init"
  memory      = 4096
  balloon     = 1024
  tags        = "web;prod"
  scsihw      = "virtio-scsi-single"
  boot        = "order=scsi0;net0"
  startup     = "order=2,up=10"
  cpu {
    cores = 2
    type  = "host"
  }
  disks {
    scsi {
      scsi0 {
        # the disk
        disk {
          size     = "20G"
          storage  = "local-lvm"
          discard  = true
          iothread = true
        }
      }
    }
    ide {
      ide2 {
        cloudinit {
          storage = "local-lvm"
        }
      }
    }
  }
  network {
    id     = 0
    model  = "virtio"
    bridge = "vmbr0"
    tag    = 20
  }
  ipconfig0  = "ip=192.0.2.${10 + count.index}/24,gw=192.0.2.1"
  ciuser     = "ops"
  cipassword = var.secret
  sshkeys    = <<EOF
${var.key}
EOF
  nameserver = "192.0.2.53 192.0.2.54"
  serial {
    id   = 0
    type = "socket"
  }
  connection {
    host = self.default_ipv4_address
  }
  provisioner "remote-exec" {
    inline = ["echo ${self.name}"]
  }
  lifecycle {
    ignore_changes = [network, disk, sshkeys]
  }
}
resource "proxmox_vm_qemu" "old" {
  name        = "old"
  target_node = "pve1"
  clone       = "t"
  cores       = 2
  sockets     = 1
  cpu         = "host"
  disk {
    slot     = 0
    size     = "10G"
    type     = "scsi"
    storage  = "local-lvm"
    iothread = 1
    ssd      = 1
    discard  = "on"
  }
  network {
    model  = "virtio"
    bridge = "vmbr0"
  }
  dynamic "network" {
    for_each = var.nets
    content {
      model  = "virtio"
      bridge = network.value
    }
  }
  ipconfig0 = var.ip
}
variable "nets" { default = ["vmbr1"] }
variable "ip" { default = "ip=dhcp" }
resource "proxmox_lxc" "c" {
  target_node     = "pve1"
  hostname        = "c1"
  ostemplate      = "local:vztmpl/ubuntu.tar.zst"
  password        = var.secret
  unprivileged    = true
  start           = true
  memory          = 512
  swap            = 512
  ssh_public_keys = <<-EOT
    ${var.key}
  EOT
  rootfs {
    storage = "local-lvm"
    size    = "8G"
  }
  mountpoint {
    key     = "0"
    slot    = 0
    storage = "local-lvm"
    mp      = "/data"
    size    = "12G"
  }
  network {
    name   = "eth0"
    bridge = "vmbr0"
    ip     = "dhcp"
  }
  features { nesting = true }
}
output "ips" {
  value = proxmox_vm_qemu.web.*.default_ipv4_address
}
output "ips2" {
  value = { for vm in proxmox_vm_qemu.web : vm.name => vm.default_ipv4_address }
}

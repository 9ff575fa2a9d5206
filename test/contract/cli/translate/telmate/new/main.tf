terraform {
  required_providers {
    proxmox = { source = "proxmox-ts/proxmox" }
    telmate = { source = "telmate/proxmox", version = "3.0.2-rc01" }
  }
}
provider "proxmox" {
  endpoint  = "https://pve:8006"
  insecure  = true
  api_token = "${var.id}=${var.secret}"
  # Left out: pm_parallel: `requests`, `clones` and `-parallelism` limit what runs at a time
  # Left out: PM_API_URL, PM_API_TOKEN_ID: variables of the environment are called PROXMOX_VE_ENDPOINT, PROXMOX_VE_API_TOKEN … here, not PM_…
}
variable "id" {}
variable "secret" {}
variable "key" { default = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIKbvW3pdgyZCi0Q2OOpuzLq5Yk4mPyYSWlZrWnX1m0Rl ops" }
resource "proxmox_pool" "p_new" {
  id      = "prod"
  comment = "x"
}

moved {
  from = proxmox_pool.p
  to   = proxmox_pool.p_new
}
resource "proxmox_vm" "web" {
  count         = 2
  name          = "web-${count.index}"
  vmid          = 500 + count.index
  node          = "pve1"
  clone         = { template = "ubuntu-24.04-cloud", full = true }
  pool          = proxmox_pool.p_new.id
  agent         = { enabled = true }
  memory        = { size = "4G", balloon = "1G" }
  tags          = ["web", "prod"]
  scsi_hardware = "virtio-scsi-single"
  boot_order    = ["scsi0", "net0"]
  startup       = { order = 2, up_delay = 10 }
  cloud_init = {
    user     = "ops"
    password = var.secret
    ssh_keys = [for line in split("\n", <<EOF
${var.key}
EOF
) : trimspace(line) if trimspace(line) != ""]
    dns_servers = ["192.0.2.53", "192.0.2.54"]
    storage     = "local-lvm"
    slot        = "ide2"
  }
  cpu = { cores = 2, type = "host" }
  disks = {
    # the disk
    scsi0 = { size = "20G", storage = "local-lvm", discard = true, iothread = true }
  }
  networks = {
    net0 = {
      model  = "virtio"
      bridge = "vmbr0"
      vlan   = 20
      ipv4   = { address = "192.0.2.${10 + count.index}/24", gateway = "192.0.2.1" }
    }
  }
  serial = { serial0 = "socket" }

  connection {
    host = self.ipv4_address
  }

  provisioner "remote-exec" {
    inline = ["echo ${self.name}"]
  }

  lifecycle {
    ignore_changes = [networks, disks, cloud_init.ssh_keys]
  }
  # Left out: os_type: the provider does not need it
}

moved {
  from = proxmox_vm_qemu.web
  to   = proxmox_vm.web
}
resource "proxmox_vm" "old" {
  name  = "old"
  node  = "pve1"
  clone = { template = "t", full = true }
  cpu   = { cores = 2, sockets = 1, type = "host" }
  disks = {
    scsi0 = { size = "10G", storage = "local-lvm", iothread = true, ssd = true, discard = true }
  }
  networks = { for slot, one in merge(
    { net0 = { model = "virtio", bridge = "vmbr0" } },
    { for index, network in [for key, value in var.nets : { key = key, value = value }] : "net${index + 1}" => { model = "virtio", bridge = network.value } }
  ) : slot => merge(one, try({
    net0 = {
      ipv4 = {
        address = try(regex("(?:^|,)ip=([^,]+)", var.ip)[0], null)
        gateway = try(regex("(?:^|,)gw=([^,]+)", var.ip)[0], null)
      }
    }
  }[slot], {})) }
}

moved {
  from = proxmox_vm_qemu.old
  to   = proxmox_vm.old
}
variable "nets" { default = ["vmbr1"] }
variable "ip" { default = "ip=dhcp" }
resource "proxmox_container" "c" {
  node         = "pve1"
  name         = "c1"
  image        = { volume = "local:vztmpl/ubuntu.tar.zst" }
  password     = var.secret
  unprivileged = true
  memory       = { size = "512M", swap = "512M" }
  ssh_keys = [for line in split("\n", <<-EOT
    ${var.key}
  EOT
) : trimspace(line) if trimspace(line) != ""]
  mounts = {
    rootfs = { storage = "local-lvm", size = "8G" }
    mp0    = { storage = "local-lvm", path = "/data", size = "12G" }
  }
  networks = { net0 = { name = "eth0", bridge = "vmbr0", ipv4 = { address = "dhcp" } } }
  features = { nesting = true }
}

moved {
  from = proxmox_lxc.c
  to   = proxmox_container.c
}
output "ips" {
  value = proxmox_vm.web[*].ipv4_address
}
output "ips2" {
  value = { for vm in proxmox_vm.web : vm.name => vm.ipv4_address }
}

terraform {
  required_providers {
    proxmox = { source = "telmate/proxmox" }
  }
}

# Both ways to write mounts and network cards.
resource "proxmox_lxc_guest" "listed" {
  name         = "listed"
  guest_id     = 710
  target_node  = "pve1"
  unprivileged = true
  password     = "not-a-secret"
  power_state  = "running"
  memory       = 1024
  swap         = 256
  tags         = ["web"]

  template {
    file    = "debian-13.tar.zst"
    storage = "local"
  }
  cpu {
    cores = 2
  }
  features {
    unprivileged {
      nesting = true
    }
  }
  root_mount {
    size    = "8G"
    storage = "local-lvm"
    options {
      no_atime = true
    }
  }
  mount {
    slot            = "mp0"
    type            = "data"
    guest_path      = "/data"
    storage         = "local-lvm"
    size            = "4G"
    option_no_exec  = true
    option_discard  = true
    option_no_suid  = false
  }
  network {
    id           = "net0"
    name         = "eth0"
    bridge       = "vmbr0"
    ipv4_address = "192.0.2.31/24"
    ipv4_gateway = "192.0.2.1"
    rate_limit   = 2000
  }
  network {
    id        = "net1"
    name      = "eth1"
    bridge    = "vmbr1"
    ipv4_dhcp = true
    connected = false
  }
}

resource "proxmox_lxc_guest" "slots" {
  name         = "slots"
  guest_id     = 711
  target_node  = "pve1"
  unprivileged = true
  password     = "not-a-secret"
  power_state  = "stopped"

  template {
    file    = "debian-13.tar.zst"
    storage = "local"
  }
  root_mount {
    size    = "4G"
    storage = "local-lvm"
  }
  mounts {
    mp1 {
      # What the service keeps.
      data {
        guest_path      = "/srv"
        storage         = "local-lvm"
        size            = "2G"
        backup          = true
        option_no_atime = true
      }
    }
    mp2 {
      bind {
        guest_path = "/host"
        host_path  = "/mnt/host"
        read_only  = true
      }
    }
  }
  networks {
    net0 {
      host_managed = false
      name   = "eth0"
      bridge = "vmbr0"
      ipv4 {
        dhcp = true
      }
      ipv6 {
        slaac = true
      }
    }
  }
  startup_shutdown {
    order = 3
  }
}

resource "proxmox_lxc_guest" "copy" {
  name        = "copy"
  target_node = "pve1"
  privileged  = true

  clone {
    id = 710
  }
  features {
    privileged {
      nfs = true
      smb = var.smb
    }
  }
  dynamic "mount" {
    for_each = var.mounts
    content {
      slot           = "mp${mount.key}"
      guest_path     = mount.value
      storage        = "local-lvm"
      size           = "1G"
      option_no_exec = var.no_exec
    }
  }
  networks {
    dynamic "net0" {
      for_each = [1]
      content {
        name   = "eth0"
        bridge = "vmbr0"
      }
    }
  }
}

variable "smb" { default = true }
variable "no_exec" { default = true }
variable "mounts" { default = ["/a", "/b"] }

# Nothing is said about its root file system.
resource "proxmox_lxc" "least" {
  hostname    = "least"
  target_node = "pve1"
  ostemplate  = "local:vztmpl/debian-13.tar.zst"

  mountpoint {
    key     = "0"
    slot    = 0
    storage = "/srv/host"
    volume  = "/srv/host"
    mp      = "/srv"
    size    = "256G"
  }
}

resource "proxmox_vm_qemu" "devices" {
  name        = "devices"
  target_node = "pve1"

  pcis {
    pci0 {
      mapping {
        mapping_id = "gpu"
        pcie       = true
      }
    }
    pci1 {
      raw {
        raw_id = "0000:01:00.0"
      }
    }
  }
  usbs {
    usb0 {
      device {
        device_id = "046d:c31c"
        usb3      = true
      }
    }
    usb1 {
      # The console's own.
      spice {
        usb3 = false
      }
    }
  }
}

resource "proxmox_storage_iso" "netboot" {
  storage            = "local"
  pve_node           = "pve1"
  filename           = "netboot.iso"
  url                = "https://boot.example.com/netboot.iso"
  checksum_algorithm = "sha256"
  checksum           = "00000000000000000000000000000000000000000000000000000000000000ab"
}

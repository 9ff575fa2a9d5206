terraform {
  required_providers {
    proxmox = { source = "proxmox-ts/proxmox" }
    telmate = { source = "telmate/proxmox" }
  }
}

# Both ways to write mounts and network cards.
resource "proxmox_container" "listed" {
  name         = "listed"
  vmid         = 710
  node         = "pve1"
  unprivileged = true
  password     = "not-a-secret"
  memory       = { size = "1G", swap = "256M" }
  tags         = ["web"]
  cpu          = { cores = 2 }
  features     = { nesting = true }
  mounts = {
    rootfs = { size = "8G", storage = "local-lvm", options = ["noatime"] }
    mp0 = {
      path    = "/data"
      storage = "local-lvm"
      size    = "4G"
      options = ["discard", "noexec"]
    }
  }
  networks = {
    net0 = {
      name         = "eth0"
      bridge       = "vmbr0"
      ipv4         = { address = "192.0.2.31/24", gateway = "192.0.2.1" }
      rate_limit   = 2
      firewall     = true
      host_managed = true
    }
    net1 = {
      name         = "eth1"
      bridge       = "vmbr1"
      ipv4         = { address = "dhcp" }
      link_down    = true
      firewall     = true
      host_managed = true
    }
  }
  image = { volume = "local:vztmpl/debian-13.tar.zst" }
}

moved {
  from = proxmox_lxc_guest.listed
  to   = proxmox_container.listed
}

resource "proxmox_container" "slots" {
  name         = "slots"
  vmid         = 711
  node         = "pve1"
  unprivileged = true
  password     = "not-a-secret"
  power        = "stopped"
  mounts = {
    rootfs = { size = "4G", storage = "local-lvm" }
    # What the service keeps.
    mp1 = {
      path    = "/srv"
      storage = "local-lvm"
      size    = "2G"
      backup  = true
      options = ["noatime"]
    }
    mp2 = { path = "/host", host_path = "/mnt/host", read_only = true }
  }
  networks = {
    net0 = {
      name     = "eth0"
      bridge   = "vmbr0"
      ipv4     = { address = "dhcp" }
      ipv6     = { address = "auto" }
      firewall = true
    }
  }
  startup = { order = 3 }
  image   = { volume = "local:vztmpl/debian-13.tar.zst" }
}

moved {
  from = proxmox_lxc_guest.slots
  to   = proxmox_container.slots
}

resource "proxmox_container" "copy" {
  name         = "copy"
  node         = "pve1"
  unprivileged = false
  clone        = { template = "710", full = true }
  features     = { mount = compact(["nfs", var.smb == true ? "cifs" : ""]) }
  mounts = { for mount in [for key, value in var.mounts : { key = key, value = value }] : "mp${mount.key}" => {
      path    = mount.value
      storage = "local-lvm"
      size    = "1G"
      options = compact([var.no_exec == true ? "noexec" : ""])
    } }
  # TODO: network: write the entries as a map by slot, `{ for … : slot => { … } }`: the slots of this block are not known here
}

moved {
  from = proxmox_lxc_guest.copy
  to   = proxmox_container.copy
}

variable "smb" { default = true }
variable "no_exec" { default = true }
variable "mounts" { default = ["/a", "/b"] }

# Nothing is said about its root file system.
resource "proxmox_container" "least" {
  name  = "least"
  node  = "pve1"
  image = { volume = "local:vztmpl/debian-13.tar.zst" }
  mounts = {
    mp0    = { host_path = "/srv/host", path = "/srv" }
    rootfs = { storage = "local", size = "4G" }
  }
}

moved {
  from = proxmox_lxc.least
  to   = proxmox_container.least
}

resource "proxmox_vm" "devices" {
  name = "devices"
  node = "pve1"
  pci = {
    hostpci0 = { mapping = "gpu", pcie = true }
    hostpci1 = { address = "0000:01:00.0" }
  }
  usb = {
    usb0 = { device = "046d:c31c", usb3 = true }
    # The console's own.
    usb1 = { usb3 = false, device = "spice" }
  }
}

moved {
  from = proxmox_vm_qemu.devices
  to   = proxmox_vm.devices
}

resource "proxmox_download" "netboot" {
  storage  = "local"
  node     = "pve1"
  name     = "netboot.iso"
  url      = "https://boot.example.com/netboot.iso"
  checksum = "sha256:00000000000000000000000000000000000000000000000000000000000000ab"
  content  = "iso"
}

moved {
  from = proxmox_storage_iso.netboot
  to   = proxmox_download.netboot
}

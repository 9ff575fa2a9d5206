resource "proxmox_container_template" "base" {
  storage = "nas"
  node    = "pve1"
  name    = "ubuntu-24.04-standard"
}

# From a template file, with a volume of its own for data.
resource "proxmox_container" "web" {
  name  = "web"
  node  = "pve1"
  image = { volume = proxmox_container_template.base.volume_id }

  cpu      = { cores = 2 }
  memory   = { size = "1G", swap = "256M" }
  features = { nesting = true }
  tags     = ["web"]
  on_boot  = true

  mounts = {
    rootfs = { storage = "local-lvm", size = "8G" }
    mp0    = { storage = "local-lvm", size = "20G", path = "/var/lib/data", backup = true }
  }
  networks = {
    net0 = {
      bridge = "vmbr0"
      vlan   = 20
      ipv4   = { address = "10.0.20.31/24", gateway = "10.0.20.1" }
    }
  }
  dns = { servers = ["10.0.20.1"] }
}

# A template, and two clones of it.
resource "proxmox_container" "golden" {
  name     = "golden"
  node     = "pve1"
  template = true
  image    = { volume = proxmox_container_template.base.volume_id }
  mounts   = { rootfs = { storage = "local-zfs", size = "4G" } }
  networks = { net0 = { bridge = "vmbr0", ipv4 = { address = "dhcp" } } }
}

resource "proxmox_container" "worker" {
  count = 2
  name  = "worker-${count.index}"
  clone = { template = proxmox_container.golden.vmid }

  memory = { size = "2G" }
}

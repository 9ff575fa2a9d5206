resource "proxmox_hardware_mapping" "network_card" {
  name    = "fast-nic"
  comment = "One port for each VM"

  pci = {
    nodes = {
      # Two equivalent ports: a VM gets the free one.
      pve1 = {
        devices = [
          { path = "0000:01:00.0", device_id = "8086:1521", subsystem_id = "8086:0001", iommu_group = 14 },
          { path = "0000:01:00.1", device_id = "8086:1521", subsystem_id = "8086:0001", iommu_group = 15 },
        ]
      }
      pve2 = {
        devices = [
          { path = "0000:01:00.0", device_id = "8086:1521", subsystem_id = "8086:0001", iommu_group = 14 },
        ]
      }
    }
  }
}

resource "proxmox_hardware_mapping" "licence_key" {
  name = "licence-key"
  usb  = { nodes = { pve1 = { device_id = "0951:1666" } } }
}

resource "proxmox_hardware_mapping" "share" {
  name = "share"
  dir  = { nodes = { pve1 = { path = "/srv/share" }, pve2 = { path = "/srv/share" } } }
}

resource "proxmox_vm" "router" {
  name  = "router"
  node  = "pve1"
  power = "stopped"
  clone = { template = "debian-13-cloud" }
  pci   = { hostpci0 = { mapping = proxmox_hardware_mapping.network_card.name } }
}

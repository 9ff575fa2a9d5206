resource "proxmox_vm" "shop" {
  name  = "shop"
  vmid  = 101
  power = "stopped"
  clone = { template = "debian-13-cloud" }
}

resource "proxmox_ha_resource" "shop" {
  sid         = "vm:${proxmox_vm.shop.vmid}"
  state       = "stopped"
  max_restart = 2
  comment     = "The shop"
}

# By name, which must be unique, or by VMID.
data "proxmox_vm" "ubuntu" {
  name = "ubuntu-24.04-cloud"
}

data "proxmox_vm" "talos" {
  vmid      = 9002
  addresses = "agent" # asks the guest agent if the VM runs; never waits for it
}

output "ubuntu" {
  value = {
    vmid  = data.proxmox_vm.ubuntu.vmid
    node  = data.proxmox_vm.ubuntu.node
    disks = { for slot, disk in data.proxmox_vm.ubuntu.disks : slot => disk.size }
  }
}

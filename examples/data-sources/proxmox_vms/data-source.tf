# The newest matching template; null if there is none.
data "proxmox_vms" "golden" {
  name     = "debian-*"
  template = true
  newest   = true
}

# All running VMs with the tag, with the addresses set by cloud-init.
data "proxmox_vms" "workers" {
  tags      = ["k3s-worker"]
  status    = "running"
  addresses = "configured"
}

output "golden_vmid" {
  value = one(data.proxmox_vms.golden.vms[*].vmid)
}

output "worker_addresses" {
  value = data.proxmox_vms.workers.ipv4_addresses # by name of the VM
}

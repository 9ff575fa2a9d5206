# The newest of the templates that match; null if there is none.
data "proxmox_vms" "golden" {
  name     = "debian-*"
  template = true
  newest   = true
}

# Everything that runs and has the tag, with the addresses cloud-init has set.
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

# A Talos cluster: control planes, workers, and workers with a GPU. Talos has no guest agent, so nothing waits for one:
# addresses are given through the cloud-init drive, so they are known before the first boot.

terraform {
  required_providers {
    proxmox = { source = "registry.terraform.io/proxmox-ts/proxmox" }
  }
}

provider "proxmox" {}

locals {
  prefix = split("/", var.network.cidr)[1]

  roles = concat(
    [for number in range(var.control_planes) : { name = "cp-${number + 1}", role = "controlplane", gpu = false }],
    [for number in range(var.workers) : { name = "worker-${number + 1}", role = "worker", gpu = false }],
    [for number in range(var.gpu_workers.count) : { name = "gpu-${number + 1}", role = "worker", gpu = true }],
  )

  # Workers have a separate range, so that another control plane does not renumber them.
  offsets = { controlplane = 0, worker = 10, gpu = 110 }

  nodes = {
    for index, node in local.roles : "${var.cluster_name}-${node.name}" => {
      role   = node.role
      gpu    = node.gpu
      number = tonumber(split("-", node.name)[1]) - 1 + local.offsets[node.gpu ? "gpu" : node.role]
    }
  }
}

resource "proxmox_vm" "node" {
  for_each = local.nodes

  name  = each.key
  vmid  = var.first_vmid + each.value.number
  node  = var.placement[each.value.number % length(var.placement)]
  clone = { template = var.template }

  cpu     = { cores = each.value.role == "controlplane" ? 4 : 8, type = "host" }
  memory  = { size = each.value.role == "controlplane" ? "8G" : "16G" }
  disks   = { scsi0 = { size = "40G" } }
  machine = { type = "q35" }
  pci     = each.value.gpu ? { hostpci0 = { mapping = var.gpu_workers.mapping, pcie = true } } : null

  networks = {
    net0 = {
      bridge = var.network.bridge
      vlan   = var.network.vlan
      ipv4 = {
        address = "${cidrhost(var.network.cidr, var.network.first_host + each.value.number)}/${local.prefix}"
        gateway = var.network.gateway
      }
    }
  }

  tags = compact(["talos", each.value.role, each.value.gpu ? "gpu" : ""])
}

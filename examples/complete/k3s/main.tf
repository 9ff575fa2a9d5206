# A k3s cluster that installs itself: user data and network configuration are text, sent through the API. No SSH, no
# snippets on the host.

terraform {
  required_providers {
    proxmox = { source = "registry.terraform.io/proxmox-ts/proxmox" }
  }
}

provider "proxmox" {}

locals {
  prefix = split("/", var.network.cidr)[1]

  nodes = merge(
    { for number in range(var.servers) : "${var.cluster_name}-server-${number + 1}" => { role = "server", number = number } },
    { for number in range(var.agents) : "${var.cluster_name}-agent-${number + 1}" => { role = "agent", number = number + 10 } },
  )
  addresses = { for name, node in local.nodes : name => cidrhost(var.network.cidr, var.network.first_host + node.number) }
  first     = "${var.cluster_name}-server-1"
}

resource "proxmox_vm" "node" {
  for_each = local.nodes

  name  = each.key
  clone = { template = var.template }

  cpu      = { cores = each.value.role == "server" ? 2 : 4 }
  memory   = { size = each.value.role == "server" ? "4G" : "8G" }
  disks    = { scsi0 = { size = "30G" } }
  networks = { net0 = { bridge = "vmbr0" } }

  cloud_init = {
    user_data = templatefile("${path.module}/user-data.yaml.tftpl", {
      hostname = each.key
      ssh_keys = var.ssh_keys
      token    = var.join_token
      role     = each.value.role
      is_first = each.key == local.first
      server   = "https://${local.addresses[local.first]}:6443"
    })
    network_data = templatefile("${path.module}/network.yaml.tftpl", {
      address = "${local.addresses[each.key]}/${local.prefix}"
      gateway = var.network.gateway
      dns     = var.network.dns
    })
  }

  tags = ["k3s", each.value.role]
}

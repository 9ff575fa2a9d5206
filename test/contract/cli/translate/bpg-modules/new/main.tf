terraform {
  required_providers {
    proxmox = { source = "proxmox-ts/proxmox" }
    bpg     = { source = "bpg/proxmox", version = "0.111.0" }
  }
}

provider "proxmox" {
  alias    = "east"
  endpoint = "https://pve1.example.com:8006"
}

provider "bpg" {
  alias    = "east"
  endpoint = "https://pve1.example.com:8006"
}

module "vms" {
  source    = "./modules/vms"
  providers = { proxmox = proxmox.east, bpg = bpg.east }
}

output "cards" {
  value = module.vms.cards
}

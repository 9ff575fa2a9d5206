terraform {
  required_providers {
    proxmox = {
      source  = "bpg/proxmox"
      version = "0.111.0"
    }
  }
}

provider "proxmox" {
  alias    = "east"
  endpoint = "https://pve1.example.com:8006"
}

module "vms" {
  source    = "./modules/vms"
  providers = { proxmox = proxmox.east }
}

output "cards" {
  value = module.vms.cards
}

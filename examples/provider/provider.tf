terraform {
  required_providers {
    proxmox = {
      source = "registry.terraform.io/proxmox-ts/proxmox"
    }
  }
}

provider "proxmox" {
  endpoint  = "https://pve1.example.com:8006"
  api_token = var.proxmox_api_token
}

variable "proxmox_api_token" {
  type      = string
  sensitive = true
}

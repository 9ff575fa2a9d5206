variable "cloudflare_token" {
  type      = string
  sensitive = true
  default   = "from the environment: TF_VAR_cloudflare_token"
}

resource "proxmox_acme_plugin" "cloudflare" {
  id = "cloudflare"

  dns = {
    api          = "cf"
    data         = { CF_Token = var.cloudflare_token }
    data_version = 1
  }
}

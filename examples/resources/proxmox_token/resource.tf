resource "proxmox_user" "ci" {
  id = "ci@pve"
}

resource "proxmox_token" "deploy" {
  user    = proxmox_user.ci.id
  name    = "deploy"
  comment = "used by the pipeline"
  rotate  = "2026-11" # changing the text creates another secret
}

# The secret is in the state, so protect the state. A provider's `api_token` is "ID=VALUE".
output "deploy_secret" {
  value     = proxmox_token.deploy.value
  sensitive = true
}

# Valid during one run, with the listed privileges, and removed afterwards.
ephemeral "proxmox_token" "reader" {
  user        = "terraform@pve"
  lifetime    = "10m"
  permissions = [{ path = "/", role = "PVEAuditor" }]
}

provider "proxmox" {
  alias     = "reader"
  api_token = "${ephemeral.proxmox_token.reader.id}=${ephemeral.proxmox_token.reader.value}"
}

data "proxmox_permissions" "reader" {
  provider = proxmox.reader
}

output "reader_may" {
  value = data.proxmox_permissions.reader.privileges["/"]
}

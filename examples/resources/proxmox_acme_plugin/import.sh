# By its name.
terraform import proxmox_acme_plugin.cloudflare cloudflare

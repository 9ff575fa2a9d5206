# By the name of the node.
terraform import proxmox_acme_certificate.pve1 pve1

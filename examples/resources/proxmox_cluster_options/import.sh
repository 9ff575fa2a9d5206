# There is one of it.
terraform import proxmox_cluster_options.this cluster

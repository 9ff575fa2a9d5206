# By ID.
terraform import proxmox_metric_server.graphite graphite

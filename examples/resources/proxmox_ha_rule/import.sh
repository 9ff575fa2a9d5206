# By name.
terraform import proxmox_ha_rule.apart databases-apart

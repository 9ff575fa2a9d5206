data "proxmox_pools" "all" {}

output "guests_by_pool" {
  value = { for pool in data.proxmox_pools.all.pools : pool.id => pool.vmids }
}

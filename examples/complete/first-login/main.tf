# A cluster from its first login: who may do what, what is reported to whom, where data goes and where it is saved, and the
# network of the guests. Nothing here needs a guest to exist.

terraform {
  required_providers {
    proxmox = { source = "registry.terraform.io/proxmox-ts/proxmox" }
  }
}

provider "proxmox" {}

resource "proxmox_cluster_options" "this" {
  email_from      = "proxmox@${var.domain}"
  registered_tags = ["prod"]
  next_id         = { lower = 1000, upper = 9999 }
}

# Who may do what.

resource "proxmox_realm" "directory" {
  id      = "directory"
  comment = "Directory of ${var.domain}"
  ldap = {
    server         = "ldap.${var.domain}"
    mode           = "ldaps"
    base_dn        = local.base_dn
    user_attribute = "uid"
    bind_dn        = "cn=reader,${local.base_dn}"
    password       = var.directory_password

    password_version = 1
  }
}

resource "proxmox_realm_sync_job" "directory" {
  id       = "directory"
  realm    = proxmox_realm.directory.id
  schedule = "hourly"
  scope    = "both"
}

resource "proxmox_group" "teams" {
  for_each = var.teams

  id      = each.key
  comment = each.value
}

resource "proxmox_role" "operator" {
  id         = "Operator"
  privileges = ["VM.Audit", "VM.Backup", "VM.Console", "VM.PowerMgmt", "VM.Snapshot"]
}

resource "proxmox_pool" "teams" {
  for_each = var.teams

  id      = each.key
  comment = each.value
}

resource "proxmox_acl" "teams" {
  for_each = var.teams

  path  = "/pool/${proxmox_pool.teams[each.key].id}"
  role  = proxmox_role.operator.id
  group = proxmox_group.teams[each.key].id
}

# What is reported to whom.

resource "proxmox_notification_endpoint" "mail" {
  name = "on-call"
  smtp = {
    server       = "mail.${var.domain}"
    mode         = "starttls"
    from_address = "proxmox@${var.domain}"
    mailto       = var.on_call
  }
}

resource "proxmox_notification_matcher" "failures" {
  name             = "failures"
  match_severities = ["error"]
  targets          = [proxmox_notification_endpoint.mail.name]
}

resource "proxmox_metric_server" "influxdb" {
  id     = "influxdb"
  server = "influxdb.${var.domain}"
  port   = 8086
  influxdb = {
    protocol     = "https"
    organization = "proxmox"
    bucket       = "proxmox"
    token        = var.influxdb_token

    token_version = 1
  }
}

# Where data goes, and where it is saved.

resource "proxmox_storage" "backup" {
  id      = "first-backup"
  content = ["backup"]
  nfs     = { server = "nas.${var.domain}", export = "/volume1/backup" }
  prune   = { keep_daily = 7, keep_weekly = 4 }
}

resource "proxmox_backup_job" "nightly" {
  id                = "nightly"
  schedule          = var.backup_schedule
  all               = true
  storage           = proxmox_storage.backup.id
  compression       = "zstd"
  notification_mode = "notification-system"
}

# The network of the guests.

resource "proxmox_sdn_zone" "guests" {
  id     = "guests"
  ipam   = "pve"
  simple = { dhcp = "dnsmasq" }
}

resource "proxmox_sdn_vnet" "guests" {
  id   = "gnet"
  zone = proxmox_sdn_zone.guests.id
}

resource "proxmox_sdn_subnet" "guests" {
  vnet    = proxmox_sdn_vnet.guests.id
  cidr    = var.guest_network
  gateway = cidrhost(var.guest_network, 1)
  snat    = true
}

locals {
  base_dn = join(",", [for part in split(".", var.domain) : "dc=${part}"])
}

resource "proxmox_pool" "prod" {
  id      = "prod"
  comment = "Production"
}

moved {
  from = proxmox_virtual_environment_pool.prod
  to   = proxmox_pool.prod
}

resource "proxmox_role" "operator" {
  id         = "Operator"
  privileges = ["VM.PowerMgmt", "VM.Console"]
}

moved {
  from = proxmox_virtual_environment_role.operator
  to   = proxmox_role.operator
}

resource "proxmox_group" "ops" {
  id      = "ops"
  comment = "Operators"
}

moved {
  from = proxmox_virtual_environment_group.ops
  to   = proxmox_group.ops
}

resource "proxmox_user" "jo" {
  id      = "jo@pve"
  comment = "Jo"
  groups  = [proxmox_group.ops.id]
}

moved {
  from = proxmox_virtual_environment_user.jo
  to   = proxmox_user.jo
}

resource "proxmox_acl" "ops" {
  group     = proxmox_group.ops.id
  role      = proxmox_role.operator.id
  path      = "/pool/${proxmox_pool.prod.id}"
  propagate = true
}

moved {
  from = proxmox_virtual_environment_acl.ops
  to   = proxmox_acl.ops
}

resource "proxmox_token" "ci" {
  user                 = proxmox_user.jo.id
  name                 = "ci"
  privilege_separation = true
}

moved {
  from = proxmox_virtual_environment_user_token.ci
  to   = proxmox_token.ci
}

resource "proxmox_storage" "nas" {
  id = "nas"
  nfs = {
    server           = "192.0.2.9"
    export           = "/export"
    create_base_path = true
    create_subdirs   = true
  }
  content = ["images", "iso"]
  enabled = true
  prune   = { keep_last = 3 }
}

moved {
  from = proxmox_virtual_environment_storage_nfs.nas
  to   = proxmox_storage.nas
}

resource "proxmox_download" "debian" {
  node     = "pve1"
  storage  = "local"
  content  = "iso"
  url      = "https://images.example.com/debian.iso"
  name     = "debian.iso"
  checksum = "sha256:0f5d1e3b9c0d8a7e6f5c4b3a29181706f5e4d3c2b1a09f8e7d6c5b4a39281706"
}

moved {
  from = proxmox_virtual_environment_download_file.debian
  to   = proxmox_download.debian
}

# TODO: stays with bpg: snippets have no API: put the text into `cloud_init.user_data` (`network_data`, `meta_data`, `vendor_data`) of the VM, then remove the file
resource "proxmox_virtual_environment_file" "user_data" {
  provider = bpg

  node_name    = "pve1"
  datastore_id = "local"
  content_type = "snippets"

  source_raw {
    file_name = "user.yaml"
    data      = <<-EOF
      #cloud-config
      packages: [qemu-guest-agent]
    EOF
  }
}

resource "proxmox_sdn_zone" "lab" {
  id     = "lab"
  mtu    = 1450
  ipam   = "pve"
  simple = {}
}

moved {
  from = proxmox_virtual_environment_sdn_zone_simple.lab
  to   = proxmox_sdn_zone.lab
}

resource "proxmox_sdn_vnet" "lab" {
  id   = "lab0"
  zone = proxmox_sdn_zone.lab.id
}

moved {
  from = proxmox_virtual_environment_sdn_vnet.lab
  to   = proxmox_sdn_vnet.lab
}

resource "proxmox_sdn_subnet" "lab" {
  cidr        = "198.51.100.0/24"
  vnet        = proxmox_sdn_vnet.lab.id
  gateway     = "198.51.100.1"
  dhcp_ranges = [{ start = "198.51.100.50", end = "198.51.100.99" }]
}

moved {
  from = proxmox_virtual_environment_sdn_subnet.lab
  to   = proxmox_sdn_subnet.lab
}

# Left out: proxmox_virtual_environment_sdn_applier.all: changes are applied with the resource that makes them; the action `proxmox_sdn_apply` applies at any time
removed {
  from = proxmox_virtual_environment_sdn_applier.all

  lifecycle {
    destroy = false
  }
}

resource "proxmox_firewall_security_group" "web" {
  name = "web"
  rules = concat([{ type = "in", action = "ACCEPT", dport = "443", proto = "tcp" }], [for rule in [for key, value in ["22", "9100"] : { key = key, value = value }] : {
    # only from inside
    type   = "in"
    action = "ACCEPT"
    source = "192.0.2.0/24"
    dport  = rule.value
    proto  = "tcp"
  }])
}

moved {
  from = proxmox_virtual_environment_cluster_firewall_security_group.web
  to   = proxmox_firewall_security_group.web
}

resource "proxmox_firewall_ipset" "office" {
  name    = "office"
  entries = { "192.0.2.0/24" = { comment = "Office" } }
}

moved {
  from = proxmox_virtual_environment_firewall_ipset.office
  to   = proxmox_firewall_ipset.office
}

resource "proxmox_network_interface" "vmbr9" {
  node    = "pve1"
  name    = "vmbr9"
  ipv4    = { address = "203.0.113.1/24" }
  comment = "Lab"
  bridge  = {}
}

moved {
  from = proxmox_virtual_environment_network_linux_bridge.vmbr9
  to   = proxmox_network_interface.vmbr9
}

resource "proxmox_ha_resource" "template" {
  sid   = "vm:${proxmox_vm.template.vmid}"
  state = "started"
}

moved {
  from = proxmox_virtual_environment_haresource.template
  to   = proxmox_ha_resource.template
}

resource "proxmox_backup_job" "nightly_new" {
  id       = "nightly"
  schedule = "02:00"
  storage  = "local"
  vmids    = ["100"]
  prune    = { keep_daily = 7 }
}

moved {
  from = proxmox_backup_job.nightly
  to   = proxmox_backup_job.nightly_new
}

resource "proxmox_hardware_mapping" "dongle" {
  name = "dongle"
  usb  = { nodes = { pve1 = { device_id = "1234:5678", description = "Licence" } } }
}

moved {
  from = proxmox_virtual_environment_hardware_mapping_usb.dongle
  to   = proxmox_hardware_mapping.dongle
}

resource "proxmox_node_dns" "pve1" {
  node          = "pve1"
  search_domain = "example.com"
  servers       = ["192.0.2.53"]
}

moved {
  from = proxmox_virtual_environment_dns.pve1
  to   = proxmox_node_dns.pve1
}

# Left out: proxmox_virtual_environment_hagroup.old: HA groups do not exist in Proxmox VE 9; `proxmox_ha_rule` takes their place
removed {
  from = proxmox_virtual_environment_hagroup.old

  lifecycle {
    destroy = false
  }
}

resource "proxmox_container" "proxy" {
  node         = "pve1"
  vmid         = 130
  unprivileged = true
  name         = "proxy"
  ssh_keys     = ["ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIKbvW3pdgyZCi0Q2OOpuzLq5Yk4mPyYSWlZrWnX1m0Rl ops"]
  image        = { volume = "local:vztmpl/debian-13-standard_13.1-2_amd64.tar.zst" }
  os_type      = "debian"
  mounts = {
    rootfs = { storage = "local-lvm", size = "4G" }
    mp0    = { size = "10G", path = "/srv", storage = "local-lvm" }
  }
  networks = { net0 = { name = "eth0", bridge = "vmbr0", ipv4 = { address = "dhcp" } } }
  features = { nesting = true }
  on_boot  = true
}

moved {
  from = proxmox_virtual_environment_container.proxy
  to   = proxmox_container.proxy
}

data "proxmox_roles" "admin" {
  id = "Administrator"
}

data "proxmox_nodes" "all" {}

data "proxmox_version" "this" {}

# TODO: proxmox_virtual_environment_vm.template.memory[0].dedicated: no counterpart in the same form, so it is null here; see the attributes of `proxmox_vm`
output "cluster" {
  value = {
    nodes      = data.proxmox_nodes.all.names
    privileges = data.proxmox_roles.admin.roles[0].privileges
    version    = data.proxmox_version.this.version
    iso        = proxmox_download.debian.volume_id
    memory     = null
  }
}

resource "proxmox_virtual_environment_pool" "prod" {
  pool_id = "prod"
  comment = "Production"
}

resource "proxmox_virtual_environment_role" "operator" {
  role_id    = "Operator"
  privileges = ["VM.PowerMgmt", "VM.Console"]
}

resource "proxmox_virtual_environment_group" "ops" {
  group_id = "ops"
  comment  = "Operators"
}

resource "proxmox_virtual_environment_user" "jo" {
  user_id = "jo@pve"
  comment = "Jo"
  groups  = [proxmox_virtual_environment_group.ops.group_id]
}

resource "proxmox_virtual_environment_acl" "ops" {
  group_id  = proxmox_virtual_environment_group.ops.group_id
  role_id   = proxmox_virtual_environment_role.operator.role_id
  path      = "/pool/${proxmox_virtual_environment_pool.prod.pool_id}"
  propagate = true
}

resource "proxmox_virtual_environment_user_token" "ci" {
  user_id               = proxmox_virtual_environment_user.jo.user_id
  token_name            = "ci"
  privileges_separation = true
}

resource "proxmox_virtual_environment_storage_nfs" "nas" {
  id      = "nas"
  server  = "192.0.2.9"
  export  = "/export"
  content = ["images", "iso"]
  disable = false

  backups {
    keep_last = 3
  }
}

resource "proxmox_virtual_environment_download_file" "debian" {
  node_name          = "pve1"
  datastore_id       = "local"
  content_type       = "iso"
  url                = "https://images.example.com/debian.iso"
  file_name          = "debian.iso"
  checksum           = "0f5d1e3b9c0d8a7e6f5c4b3a29181706f5e4d3c2b1a09f8e7d6c5b4a39281706"
  checksum_algorithm = "sha256"
}

resource "proxmox_virtual_environment_file" "user_data" {
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

resource "proxmox_virtual_environment_sdn_zone_simple" "lab" {
  id   = "lab"
  mtu  = 1450
  ipam = "pve"
}

resource "proxmox_virtual_environment_sdn_vnet" "lab" {
  id   = "lab0"
  zone = proxmox_virtual_environment_sdn_zone_simple.lab.id
}

resource "proxmox_virtual_environment_sdn_subnet" "lab" {
  cidr    = "198.51.100.0/24"
  vnet    = proxmox_virtual_environment_sdn_vnet.lab.id
  gateway = "198.51.100.1"
  dhcp_range = {
    start_address = "198.51.100.50"
    end_address   = "198.51.100.99"
  }
}

resource "proxmox_virtual_environment_sdn_applier" "all" {
  depends_on = [proxmox_virtual_environment_sdn_subnet.lab]
}

resource "proxmox_virtual_environment_cluster_firewall_security_group" "web" {
  name = "web"

  rule {
    type   = "in"
    action = "ACCEPT"
    dport  = "443"
    proto  = "tcp"
  }

  # only from inside
  dynamic "rule" {
    for_each = ["22", "9100"]
    content {
      type   = "in"
      action = "ACCEPT"
      source = "192.0.2.0/24"
      dport  = rule.value
      proto  = "tcp"
    }
  }
}

resource "proxmox_virtual_environment_firewall_ipset" "office" {
  name = "office"

  cidr {
    name    = "192.0.2.0/24"
    comment = "Office"
  }
}

resource "proxmox_virtual_environment_network_linux_bridge" "vmbr9" {
  node_name = "pve1"
  name      = "vmbr9"
  address   = "203.0.113.1/24"
  comment   = "Lab"
}

resource "proxmox_virtual_environment_haresource" "template" {
  resource_id = "vm:${proxmox_virtual_environment_vm.template.vm_id}"
  state       = "started"
  type        = "vm"
}

resource "proxmox_backup_job" "nightly" {
  id       = "nightly"
  schedule = "02:00"
  storage  = "local"
  vmid     = ["100"]
  prune_backups = {
    keep-daily = "7"
  }
}

resource "proxmox_virtual_environment_hardware_mapping_usb" "dongle" {
  name = "dongle"
  map = [
    { node = "pve1", id = "1234:5678", comment = "Licence" },
  ]
}

resource "proxmox_virtual_environment_dns" "pve1" {
  node_name = "pve1"
  domain    = "example.com"
  servers   = ["192.0.2.53"]
}

resource "proxmox_virtual_environment_hagroup" "old" {
  group = "old"
  nodes = { pve1 = 1 }
}

resource "proxmox_virtual_environment_container" "proxy" {
  node_name    = "pve1"
  vm_id        = 130
  unprivileged = true

  initialization {
    hostname = "proxy"
    ip_config {
      ipv4 {
        address = "dhcp"
      }
    }
    user_account {
      keys = ["ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIKbvW3pdgyZCi0Q2OOpuzLq5Yk4mPyYSWlZrWnX1m0Rl ops"]
    }
  }

  operating_system {
    template_file_id = "local:vztmpl/debian-13-standard_13.1-2_amd64.tar.zst"
    type             = "debian"
  }

  disk {
    datastore_id = "local-lvm"
    size         = 4
  }

  mount_point {
    volume = "local-lvm"
    size   = "10G"
    path   = "/srv"
  }

  network_interface {
    name = "eth0"
  }

  features {
    nesting = true
  }
}

data "proxmox_virtual_environment_role" "admin" {
  role_id = "Administrator"
}

data "proxmox_virtual_environment_nodes" "all" {}

data "proxmox_virtual_environment_version" "this" {}

output "cluster" {
  value = {
    nodes      = data.proxmox_virtual_environment_nodes.all.names
    privileges = data.proxmox_virtual_environment_role.admin.privileges
    version    = data.proxmox_virtual_environment_version.this.version
    iso        = proxmox_virtual_environment_download_file.debian.id
    memory     = proxmox_virtual_environment_vm.template.memory[0].dedicated
  }
}

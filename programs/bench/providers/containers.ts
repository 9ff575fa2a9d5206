import { type Access, bpgProvider, ourProvider, telmateProvider } from "./provider-blocks.ts";

/** The template file that all containers are made from. */
export const image = "nas:vztmpl/debian-13-standard_13.1-2_amd64.tar.zst";

// The same containers for each provider: a root file system, a volume for data, a card with a fixed address.

export const ourContainers = (count: number, access: Access): string =>
  `${ourProvider(access)}${ourContainerBlock(count)}`;

export const ourContainerBlock = (count: number, firstVmid = 1000): string => `
resource "proxmox_container" "ct" {
  count    = ${count}
  name     = "ct-\${count.index}"
  vmid     = ${firstVmid} + count.index
  node     = "pve1"
  image    = { volume = "${image}" }
  power    = "stopped"
  cpu      = { cores = 2 }
  memory   = { size = "1G", swap = "256M" }
  features = { nesting = true }
  mounts = {
    rootfs = { storage = "local-lvm", size = "4G" }
    mp0    = { storage = "local-lvm", size = "2G", path = "/data", backup = true }
  }
  networks = {
    net0 = {
      bridge = "vmbr0"
      vlan   = 20
      ipv4   = { address = "10.0.20.\${count.index + 1}/16", gateway = "10.0.0.1" }
    }
  }
}
`;

export const bpgContainers = (count: number, access: Access): string =>
  `${bpgProvider(access)}${bpgContainerBlock(count)}`;

export const bpgContainerBlock = (count: number, firstVmid = 1000): string => `
resource "proxmox_virtual_environment_container" "ct" {
  count        = ${count}
  vm_id        = ${firstVmid} + count.index
  node_name    = "pve1"
  started      = false
  unprivileged = true
  operating_system {
    template_file_id = "${image}"
    type             = "debian"
  }
  cpu {
    cores = 2
  }
  memory {
    dedicated = 1024
    swap      = 256
  }
  features {
    nesting = true
  }
  disk {
    datastore_id = "local-lvm"
    size         = 4
  }
  mount_point {
    volume = "local-lvm"
    size   = "2G"
    path   = "/data"
    backup = true
  }
  network_interface {
    name    = "eth0"
    bridge  = "vmbr0"
    vlan_id = 20
  }
  initialization {
    hostname = "ct-\${count.index}"
    ip_config {
      ipv4 {
        address = "10.0.20.\${count.index + 1}/16"
        gateway = "10.0.0.1"
      }
    }
  }
}
`;

export const telmateContainers = (count: number, access: Access): string => `${telmateProvider(access)}
resource "proxmox_lxc" "ct" {
  count        = ${count}
  hostname     = "ct-\${count.index}"
  vmid         = 1000 + count.index
  target_node  = "pve1"
  ostemplate   = "${image}"
  unprivileged = true
  cores        = 2
  memory       = 1024
  swap         = 256
  features {
    nesting = true
  }
  rootfs {
    storage = "local-lvm"
    size    = "4G"
  }
  mountpoint {
    key     = "0"
    slot    = 0
    storage = "local-lvm"
    mp      = "/data"
    size    = "2G"
    backup  = true
  }
  network {
    name   = "eth0"
    bridge = "vmbr0"
    tag    = 20
    ip     = "10.0.20.\${count.index + 1}/16"
    gw     = "10.0.0.1"
  }
}
`;

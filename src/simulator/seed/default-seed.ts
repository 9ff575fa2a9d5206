const gibibyte = 1024 ** 3;

/** The default members of the cluster, in documentation and tests. */
export const defaultNodes: readonly string[] = ["pve1", "pve2", "pve3"];

/** The minimum for a provisioner: clone, configure, start and destroy, and read the objects it works with. */
const provisioner = [
  "Datastore.AllocateSpace",
  "Datastore.AllocateTemplate",
  "Datastore.Audit",
  "Pool.Audit",
  "SDN.Audit",
  "SDN.Use",
  "Sys.AccessNetwork",
  "Sys.Audit",
  "VM.Allocate",
  "VM.Audit",
  "VM.Clone",
  "VM.Config.CDROM",
  "VM.Config.CPU",
  "VM.Config.Cloudinit",
  "VM.Config.Disk",
  "VM.Config.HWType",
  "VM.Config.Memory",
  "VM.Config.Network",
  "VM.Config.Options",
  "VM.GuestAgent.Audit",
  "VM.Migrate",
  "VM.PowerMgmt",
  "VM.Snapshot",
];

/** A template as `qm template` leaves it, with a disk, a cloud-init drive and a NIC. */
function template(vmid: number, name: string, storage: string, size: string, more: Record<string, unknown>): object {
  const suffix = vmid
    .toString(16)
    .toUpperCase()
    .padStart(4, "0")
    .replace(/(..)(..)/, "$1:$2");
  return {
    vmid,
    config: {
      name,
      template: 1,
      ostype: "l26",
      cores: 2,
      memory: 2048,
      scsihw: "virtio-scsi-single",
      scsi0: `${storage}:base-${vmid}-disk-0,discard=on,iothread=1,size=${size},ssd=1`,
      ide2: `${storage}:vm-${vmid}-cloudinit,media=cdrom,size=4M`,
      net0: `virtio=BC:24:11:00:${suffix},bridge=vmbr0`,
      boot: "order=scsi0",
      serial0: "socket",
      vga: "serial0",
      meta: "creation-qemu=11.0.0,ctime=1767225600",
      smbios1: `uuid=00000000-0000-4000-8000-00000000${vmid}`,
      vmgenid: `00000000-0000-4000-9000-00000000${vmid}`,
      ...more,
    },
  };
}

const storages = [
  {
    storage: "local",
    type: "dir",
    path: "/var/lib/vz",
    content: ["iso", "vztmpl", "backup", "snippets", "import"],
    total_bytes: 200 * gibibyte,
    avail_bytes: 150 * gibibyte,
  },
  {
    storage: "local-lvm",
    type: "lvmthin",
    vgname: "pve",
    thinpool: "data",
    content: ["images", "rootdir"],
    total_bytes: 8192 * gibibyte,
    avail_bytes: 8000 * gibibyte,
  },
  {
    storage: "local-zfs",
    type: "zfspool",
    pool: "rpool/data",
    content: ["images", "rootdir"],
    total_bytes: 4096 * gibibyte,
    avail_bytes: 4000 * gibibyte,
  },
  {
    storage: "nas",
    type: "nfs",
    server: "192.0.2.200",
    export: "/srv/pve",
    path: "/mnt/pve/nas",
    content: ["images", "rootdir", "iso", "vztmpl", "backup", "snippets", "import"],
    total_bytes: 16384 * gibibyte,
    avail_bytes: 16000 * gibibyte,
    bytes_per_second: gibibyte,
  },
  {
    storage: "ceph",
    type: "rbd",
    pool: "vms",
    monhost: "192.0.2.201",
    content: ["images", "rootdir"],
    total_bytes: 16384 * gibibyte,
    avail_bytes: 16000 * gibibyte,
    bytes_per_second: 2 * gibibyte,
  },
];

const bridges = [
  {
    iface: "vmbr0",
    type: "bridge",
    method: "static",
    method6: "manual",
    active: 1,
    autostart: 1,
    gateway: "192.0.2.1",
    bridge_ports: "eth0",
    bridge_stp: "off",
    bridge_fd: "0",
    vlan_aware: true,
    families: ["inet"],
  },
  {
    iface: "vmbr1",
    type: "bridge",
    method: "manual",
    method6: "manual",
    active: 1,
    autostart: 1,
    bridge_ports: "",
    bridge_stp: "off",
    bridge_fd: "0",
    vlan_aware: true,
    families: ["inet"],
  },
];

/** A usable cluster if no seed file is given; secrets are the same every time, since they protect nothing. */
export function defaultSeed(nodes: readonly string[] = defaultNodes): object {
  return {
    nodes: nodes.map((name) => ({ name, cpus: 16, memory_bytes: 64 * gibibyte })),
    cluster: { ...(nodes.length > 1 ? { name: "simulated" } : {}), options: { mac_prefix: "BC:24:11" } },
    realms: [
      { realm: "pam", type: "pam", comment: "Linux PAM standard authentication" },
      { realm: "pve", type: "pve", comment: "Proxmox VE authentication server" },
    ],
    users: [
      { userid: "root@pam", password: "proxmox", email: "root@example.com" },
      { userid: "terraform@pve", password: "terraform", comment: "may do what a provisioner needs" },
      { userid: "noacl@pve", password: "password", comment: "may do nothing" },
    ],
    tokens: [
      { tokenid: "root@pam!admin", secret: "00000000-0000-4000-8000-000000000001", privsep: 0 },
      { tokenid: "terraform@pve!tf", secret: "00000000-0000-4000-8000-000000000002", privsep: 0 },
      { tokenid: "noacl@pve!tf", secret: "00000000-0000-4000-8000-000000000003", privsep: 0 },
    ],
    roles: { Provisioner: provisioner },
    acl: [{ path: "/", type: "user", ugid: "terraform@pve", roleid: "Provisioner" }],
    storages,
    interfaces: [{ iface: "eth0", type: "eth", method: "manual" }],
    bridges,
    guests: [
      template(9000, "ubuntu-24.04-cloud", "local-lvm", "3584M", { agent: 1 }),
      template(9001, "debian-13-cloud", "ceph", "3G", { agent: 1 }),
      // Talos has no guest agent.
      { ...template(9002, "talos-1.11", "ceph", "10G", { cores: 4, memory: 4096 }), agent: false },
    ],
  };
}

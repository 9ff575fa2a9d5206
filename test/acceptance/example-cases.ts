import { expect } from "vitest";
import type { Needs } from "./target-cluster.ts";

/** An example in one file, tested through its whole lifecycle. */
interface Life {
  file: string;
  needs: Needs;
  /** A change in place: a text to find, and its replacement. */
  update: [string, string];
  /** An optional argument to remove. */
  unset: string;
  /** The options of each VM on the server after the update. */
  updated: Record<string, unknown>;
}

export const lives: Life[] = [
  {
    file: "resources/proxmox_vm/resource.tf",
    needs: { uses: ["template", "bridge"], memoryGiB: 4, spaceGiB: 40 },
    update: ["cores = 2", "cores = 3"],
    unset: '  tags       = ["web"]\n',
    updated: { cores: "3", tags: "web" },
  },
  {
    file: "complete/five-vms/main.tf",
    needs: { uses: ["template", "bridge"], memoryGiB: 50, spaceGiB: 500 },
    update: ['size = "8G"', 'size = "10G"'],
    unset: '  tags       = ["rancher"]\n',
    updated: { memory: "10240", tags: "rancher" },
  },
  {
    file: "complete/from-image/main.tf",
    needs: { uses: ["storage", "bridge", "image"], memoryGiB: 2, spaceGiB: 26 },
    update: ['size = "5G", backup = false', 'size = "6G", backup = true'],
    unset: '  os_type       = "l26"\n',
    updated: { scsi1: expect.stringMatching(/backup=1,size=6G/) },
  },
  {
    file: "complete/from-iso/main.tf",
    needs: { uses: ["storage", "bridge", "iso"], spaceGiB: 32 },
    update: ["firewall = true", "firewall = false"],
    unset: '  scsi_hardware = "virtio-scsi-single"\n',
    updated: { net0: expect.stringMatching(/firewall=0/), bios: "ovmf" },
  },
];

/** An example of several files under `examples/complete`. */
interface Composition {
  readonly folder: string;
  readonly variables: readonly string[];
  /** The outputs that scripts use. */
  readonly outputs: Readonly<Record<string, unknown>>;
  /** Inputs that must be refused, and a part of the message. */
  readonly refused: readonly (readonly [variable: string, message: RegExp])[];
  /** Warnings of its destruction. */
  readonly destroyed?: readonly string[];
}

const network = 'network={bridge="vmbr0",vlan=30,cidr="10.0.30.0/33",gateway="10.0.30.1",first_host=11}';

export const compositions: Composition[] = [
  {
    folder: "stateful-vm",
    variables: ["destroy_data=true"],
    outputs: { vmid: expect.any(Number), data_volume: "local-lvm:vm-900000000-db-1-data" },
    refused: [["data_size=50", /a size such as 50G/]],
    destroyed: ["All data is destroyed"],
  },
  {
    folder: "vlan-network",
    variables: [],
    outputs: { networks: { web: 20, db: 30, backup: 40 } },
    refused: [
      ["vlans={web=5000}", /a tag is a VLAN, from 1 to 4096/],
      ["vlans={webserver1=20}", /a letter and then 1 to 7 letters or digits/],
    ],
  },
  {
    folder: "evpn",
    variables: [],
    outputs: { gateways: { red: "10.11.1.1", blue: "10.11.2.1" } },
    refused: [['tenants={red={tag=1,cidr="10.11.1.0/24"},blue={tag=1,cidr="10.11.2.0/24"}}', /has tag 1 already/]],
  },
  {
    folder: "talos",
    variables: ['gpu_workers={count=1,mapping="gpu"}', "workers=1"],
    outputs: {
      control_plane_endpoints: ["https://10.0.30.11:6443", "https://10.0.30.12:6443", "https://10.0.30.13:6443"],
      node_addresses: {
        "talos-cp-1": "10.0.30.11",
        "talos-cp-2": "10.0.30.12",
        "talos-cp-3": "10.0.30.13",
        "talos-gpu-1": "10.0.30.121",
        "talos-worker-1": "10.0.30.21",
      },
      workers: { "talos-gpu-1": "10.0.30.121", "talos-worker-1": "10.0.30.21" },
      vmids: {
        "talos-cp-1": 3000,
        "talos-cp-2": 3001,
        "talos-cp-3": 3002,
        "talos-gpu-1": 3110,
        "talos-worker-1": 3010,
      },
    },
    refused: [
      ["control_planes=2", /must be 1, 3 or 5/],
      ["workers=-1", /from 0 to 100/],
      [network, /must be an IPv4 network such as/],
      ["cluster_name=Talos_1", /lower-case letters, digits and hyphens/],
      ["placement=[]", /at least one node/],
    ],
  },
  {
    folder: "k3s",
    variables: ["servers=1", "agents=1"],
    outputs: {
      api_endpoint: "https://10.0.40.11:6443",
      node_addresses: { "k3s-agent-1": "10.0.40.21", "k3s-server-1": "10.0.40.11" },
      servers: { "k3s-server-1": "10.0.40.11" },
      vmids: { "k3s-agent-1": expect.any(Number), "k3s-server-1": expect.any(Number) },
    },
    refused: [
      ["servers=4", /must be 1, 3 or 5/],
      ["join_token=short", /at least 16 characters/],
      ['ssh_keys=["-----BEGIN"]', /must be public keys/],
    ],
  },
  {
    folder: "golden-image",
    variables: ["vms=1"],
    outputs: {
      image: "local:import/debian-13-golden-20260101.qcow2",
      template: expect.any(Number),
      vmids: { "debian-13-golden-app-1": expect.any(Number) },
    },
    refused: [
      ['image={url="https://x.example.com/a.qcow2",checksum="md5:1",version="1"}', /must be sha256: or sha512:/],
    ],
  },
  {
    folder: "backup-and-restore",
    variables: ['vms={ shop-copy = "101" }', 'containers={ cache-copy = "102" }'],
    outputs: {
      restored: {
        "shop-copy": "nas:backup/vzdump-qemu-101-2026_01_01-02_30_00.vma.zst",
        "cache-copy": "nas:backup/vzdump-lxc-102-2026_01_01-02_35_00.tar.zst",
      },
      not_covered: [],
    },
    refused: [
      ["schedule=25:00", /25:00/],
      ['vms={copy="web"}', /must be a VMID/],
    ],
  },
  {
    folder: "first-login",
    variables: ['teams={ web = "Web servers" }'],
    outputs: { teams: { web: "/pool/web" }, network: "10.60.0.1", backups: "first-backup" },
    refused: [
      ["domain=example", /must be a name such as/],
      ["guest_network=lan", /must be a CIDR/],
      ["on_call=[]", /at least one address/],
      ["backup_schedule=25:00", /25:00/],
    ],
  },
  {
    folder: "vlan-firewall",
    variables: ["servers=1"],
    outputs: {
      vmids: { "web-1": expect.any(Number) },
      rules: [
        "group  web     on net0",
        "in     ACCEPT  SSH from +dc/admins",
        "in     DROP    all other packets",
        "out    ACCEPT  all other packets",
      ],
    },
    refused: [
      ["vlan=5000", /from 1 to 4094/],
      ['admins=["office"]', /must be a CIDR/],
    ],
  },
];

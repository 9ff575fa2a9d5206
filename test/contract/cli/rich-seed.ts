import { readFileSync } from "node:fs";
import { join } from "node:path";
import { labSeed } from "../simulator/lab.ts";

export type Seed = Record<string, unknown>;

/** The members as the manual of the simulator shows them, and what it does not show. */
const manual = readFileSync(join(import.meta.dirname, "../../../docs/guides/simulator.md"), "utf8");
const shown: Record<string, object[]>[] = [...manual.matchAll(/```json\n(\{.*?)```/gs)].map(([, text = ""]) =>
  JSON.parse(text),
);
const members = Object.assign({}, ...shown) as Record<string, object[]>;
const pick = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, members[name]]));

const container = {
  hostname: "paperless",
  ostype: "debian",
  arch: "amd64",
  memory: 512,
  description: "documents of Erika",
  rootfs: "thin:vm-777-disk-0,size=8G",
  mp0: "thin:vm-777-disk-1,mp=/data,size=4G",
  net0: "name=eth0,bridge=vmbr0,hwaddr=BC:24:11:00:00:77,ip=198.51.100.77/24,type=veth",
};

/** A cluster with something of everything. */
export const richSeed: Seed = {
  ...labSeed,
  ...pick(["realms", "realm_sync_jobs", "ha_rules", "metric_servers", "notifications", "acme", "sdn", "firewall"]),
  nodes: (shown[0]?.["nodes"] ?? []).map((node) => ({ ...node, status: "online" })),
  cluster: { name: "lab", options: { "registered-tags": "a;b", migration: "type=insecure" } },
  ha_resources: [{ sid: "vm:100", state: "ignored" }],
  storages: [...labSeed.storages, { storage: "local-lvm", type: "lvmthin", vgname: "pve", thinpool: "data" }],
  guests: [
    ...(members["guests"] ?? []),
    {
      vmid: 777,
      type: "lxc",
      node: "pve2",
      running: 1,
      config: container,
      snapshots: { clean: { ...container, snaptime: 1767225600 } },
    },
  ],
  // biome-ignore lint/suspicious/noTemplateCurlyInString: what Terraform would evaluate, if it were not escaped
  pools: [{ poolid: "web", comment: '${file("/etc/passwd")} %{ if true } "quoted" \\', vms: [100], storage: ["thin"] }],
  backup_jobs: [
    {
      id: "night",
      schedule: "daily",
      storage: "local",
      all: 1,
      "prune-backups": "keep-last=3",
      "notes-template": "{{guestname}}",
    },
  ],
  replication_jobs: [{ id: "777-0", type: "local", target: "pve1", schedule: "*/15", rate: 10 }],
  groups: [{ groupid: "ops", comment: "operators" }],
  roles: { Cloner: ["VM.Audit", "VM.Clone"] },
  mappings: {
    pci: [{ id: "gpu", map: ["node=pve1,path=0000:01:00.0,id=10de:1eb8"] }],
    usb: [{ id: "stick", map: ["node=pve1,id=0781:5583"] }],
    dir: [{ id: "share", map: ["node=pve1,path=/srv/share"] }],
  },
  custom_cpu_models: [{ cputype: "custom-small", "reported-model": "kvm64" }],
  ceph: { pools: [{ name: "vms", size: 3 }] },
  volumes: { thin: [{ volume: "vm-500-disk-0", size: "4G", node: "pve1" }] },
  iso_files: ["local:iso/debian.iso"],
  backups: [
    {
      volid: "local:backup/vzdump-qemu-100-2026_01_02-03_04_05.vma.zst",
      size: "1G",
      notes: "n",
      config: { name: "web", scsi0: "local-lvm:vm-100-disk-0,size=8G" },
    },
  ],
};

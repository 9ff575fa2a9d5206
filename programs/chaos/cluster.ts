import { defaultSeed } from "#simulator";

interface Seed {
  readonly users: object[];
  readonly acl: object[];
  readonly guests: object[];
}

const uuid = (vmid: number, digit: number): string => `00000000-0000-4000-${digit}000-000000000${vmid}`;

/** A VM that is not managed, with its own data. */
const bystander = (vmid: number, node: string, more: Record<string, string>, running: boolean) => ({
  vmid,
  node,
  running,
  config: {
    name: `bystander-${vmid}`,
    memory: 1024,
    smbios1: `uuid=${uuid(vmid, 8)}`,
    vmgenid: uuid(vmid, 9),
    net0: `virtio=BC:24:33:00:00:${String(vmid % 100).padStart(2, "0")},bridge=vmbr0`,
    ...more,
  },
});

/** The default cluster with other objects: VMs and volumes that are not managed, and images with similar names. */
export function crowdedSeed(): object {
  const seed = defaultSeed() as Seed;
  return {
    ...seed,
    acl: [...seed.acl, { path: "/", type: "user", ugid: "terraform@pve", roleid: "Administrator" }],
    pools: [{ poolid: "crew", vms: [501] }],
    guests: [
      ...seed.guests,
      bystander(501, "pve1", { scsi0: "local-lvm:vm-501-disk-0,size=4G", unused0: "ceph:vm-501-disk-1" }, true),
      bystander(502, "pve2", { scsi0: "ceph:vm-502-disk-0,size=4G", description: "keep out" }, false),
      bystander(503, "pve3", { virtio0: "nas:503/vm-503-disk-0.qcow2,size=2G" }, true),
    ],
    // Left over from VMs whose ids Terraform will get next.
    volumes: {
      "local-lvm": [{ volume: "vm-100-disk-0", size: "1G", node: "pve1" }],
      ceph: [
        { volume: "vm-101-disk-0", size: "1G" },
        { volume: "vm-300-disk-0", size: "1G" },
      ],
    },
    iso_files: ["nas:iso/cloud-init-501-0123456789abcdef.iso", "nas:iso/debian-13.iso"],
  };
}

/** What a seed may have of its own where leftovers are added. */
interface Extended {
  readonly guests?: readonly object[];
  readonly pools?: readonly object[];
  readonly users?: readonly object[];
  readonly volumes?: Readonly<Record<string, readonly unknown[]>>;
}

/** The page that community scripts write into the notes of what they create. */
const scriptNotes =
  "<div align='center'>\n  <a href='https://scripts.example.com' target='_blank'>Logo</a>\n  <h2>Files LXC</h2>\n</div>\n";

const oldWeb = {
  name: "old-web",
  memory: 1024,
  tags: "ansible;do-not-touch;prod",
  description:
    "<!-- BEGIN ANSIBLE MANAGED BLOCK -->\nowner: ops\n<!-- END ANSIBLE MANAGED BLOCK -->\n\n%{ not terraform }",
  scsi0: "local-lvm:vm-8900-disk-0,size=8G",
  net0: "virtio=BC:24:11:00:89:00,bridge=vmbr0",
};

const guests = [
  {
    vmid: 8900,
    config: { ...oldWeb, unused0: "local-lvm:vm-8900-disk-1", unused3: "ceph:vm-8900-disk-0" },
    snapshots: { before_upgrade: { ...oldWeb, snaptime: 1767225600, description: "by the patch robot" } },
  },
  {
    vmid: 8901,
    type: "lxc",
    config: {
      hostname: "files",
      ostype: "debian",
      arch: "amd64",
      tags: "community-script;nas",
      description: scriptNotes,
      rootfs: "local-lvm:vm-8901-disk-0,size=4G",
      unused0: "local-lvm:vm-8901-disk-1",
    },
  },
  // A build that was interrupted.
  { vmid: 8902, config: { name: "packer-6740f1b2", tags: "packer", description: "Packer ephemeral build VM" } },
];

/**
 * The cluster of the seed, in which other tools have left objects: foreign tags, marks in notes, unused volumes,
 * volumes of guests that are gone, a snapshot. Nothing of it is related to the objects of the default seed, whose
 * storages it uses.
 */
export function withLeftovers(seed: object): object {
  const given = seed as Extended;
  const ofGone = { volume: "vm-8999-disk-0", size: "2G" };
  return {
    ...seed,
    guests: [...(given.guests ?? []), ...guests],
    pools: [...(given.pools ?? []), { poolid: "packer", comment: "temporary", vms: [8902] }],
    users: [...(given.users ?? []), { userid: "packer@pve", comment: "created by setup.sh, do not remove" }],
    volumes: { ...given.volumes, "local-lvm": [...(given.volumes?.["local-lvm"] ?? []), ofGone] },
  };
}

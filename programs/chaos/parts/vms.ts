import fc from "fast-check";
import { neverSmaller } from "../../../test/contract/transitions/arbitraries.ts";
import { vmConfigs } from "../../../test/contract/vm/arbitrary-vm.ts";
import type { Input } from "../../../test/harness/index.ts";
import type { ClusterSeed } from "../cluster.ts";
import { Dice } from "../dice.ts";
import type { Actor, Part } from "../part.ts";
import type { Config } from "../script.ts";
import { nodes } from "../troubles.ts";
import { finishedGuest, GuestWatch, removeReserved, type WatchedKind } from "./guest-watch.ts";

export const kind: WatchedKind = {
  type: "qemu",
  resource: "proxmox_vm",
  noun: "VM",
  nameOption: "name",
  volumeMap: "disks",
};

/** A few clones of templates. */
export const vms: Part = {
  name: "vms",
  crowd: (seed) => ({
    ...seed,
    pools: (seed.pools ?? []).map((pool) => ({ ...pool, vms: [501] })),
    guests: [...seed.guests, ...bystanders],
  }),
  cast(dice, seed): Actor[] {
    const names = ["anna", "bert", "carl"].slice(0, dice.int(1, 3)).map((name) => `${name}-${seed}`);
    return names.map((name, index) => ({
      address: `${kind.resource}.${name}`,
      guest: name,
      secret: `s3cret-${name}`,
      wishes: wishesOf(name, seed + index, new Dice(dice.int(1, 2 ** 31))),
    }));
  },
  targets: {
    tasks: [
      ...["qmclone", "qmclone", "qmconfig", "resize", "qmmove", "qmigrate", "qmstart", "qmshutdown", "qmstop"],
      ...["qmdestroy", "imgdel", "imgcopy", "hastart", "hastop", "hamigrate", "cloudinit"],
    ],
    writes: [
      "POST /nodes/{node}/qemu/{vmid}/clone",
      "PUT /nodes/{node}/qemu/{vmid}/config",
      "POST /nodes/{node}/qemu/{vmid}/config",
      "PUT /nodes/{node}/qemu/{vmid}/resize",
      "POST /nodes/{node}/qemu/{vmid}/move_disk",
      "POST /nodes/{node}/qemu/{vmid}/migrate",
      "POST /nodes/{node}/qemu/{vmid}/status/start",
      "POST /nodes/{node}/qemu/{vmid}/status/shutdown",
      "DELETE /nodes/{node}/qemu/{vmid}",
      "POST /nodes/{node}/storage/{storage}/upload",
      "DELETE /nodes/{node}/storage/{storage}/content/{volume}",
      "POST /cluster/ha/resources",
      "PUT /pools",
    ],
    privileges: [
      ...["VM.Allocate", "VM.Audit", "VM.Clone", "VM.Config.Disk", "VM.Config.Options", "VM.Config.Network"],
      ...["VM.Migrate", "VM.PowerMgmt", "Datastore.AllocateSpace", "Datastore.Audit", "Datastore.AllocateTemplate"],
      "Sys.Audit",
    ],
  },
  watch: (chronicle) => new GuestWatch(kind, chronicle),
  finished: finishedGuest(kind),
  obey: removeReserved,
};

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

const bystanders: ClusterSeed["guests"] = [
  bystander(501, "pve1", { scsi0: "local-lvm:vm-501-disk-0,size=4G", unused0: "ceph:vm-501-disk-1" }, true),
  bystander(502, "pve2", { scsi0: "ceph:vm-502-disk-0,size=4G", description: "keep out" }, false),
  bystander(503, "pve3", { virtio0: "nas:503/vm-503-disk-0.qcow2,size=2G" }, true),
];

/** The configuration of one VM in each step. Its name, and its VMID if it was chosen, stay: they identify the VM. */
function wishesOf(name: string, seed: number, dice: Dice): Config[] {
  const fixed = {
    name,
    clone: { template: dice.pick(["ubuntu-24.04-cloud", "debian-13-cloud", "talos-1.11"]) },
    ...(dice.chance(0.5) && { vmid: 300 + (seed % 50) }),
  };
  const secret = `s3cret-${name}`;
  const fate = dice.pick(["detach", "delete"]);
  const grown: Record<string, object> = {};
  let hasFirst = true;
  return fc.sample(vmConfigs, { seed, numRuns: 3 }).map((sampled, at) => {
    const wish = withSecret(neverSmaller("disks", { disks: grown as Input }, sampled), secret, at + 1);
    const asked = Object.entries((wish["disks"] ?? {}) as Record<string, object>);
    // Without the disk of the template, the configuration would have to say where a new one is.
    const disks = asked.filter(([slot]) => slot !== "scsi0" || hasFirst);
    if (wish["disks"] !== undefined && "scsi0" in grown) hasFirst = disks.some(([slot]) => slot === "scsi0");
    for (const [slot, disk] of disks) grown[slot] = { ...grown[slot], ...disk };
    return {
      ...fixed,
      power: dice.pick(["running", "stopped"]),
      // A disk that waits for a restart cannot be grown, so the next step might rightly be refused.
      restart_policy: "when_needed",
      ...(dice.chance(0.5) && { node: dice.pick(nodes) }),
      ...(dice.chance(0.3) && { pool: "crew" }),
      ...wish,
      ...(wish["disks"] !== undefined && { disks: withFate(disks, fate) }),
    };
  });
}

/** A secret: in the text, or as a password, depending on the kind of cloud-init. */
function withSecret(wish: Record<string, Input>, secret: string, version: number): Record<string, Input> {
  const cloudInit = wish["cloud_init"] as Record<string, Input> | undefined;
  if (cloudInit === undefined) return wish;
  const text = cloudInit["user_data"];
  const more =
    typeof text === "string" ? { user_data: `${text}# ${secret}\n` } : { password: secret, password_version: version };
  return { ...wish, cloud_init: { ...cloudInit, ...more } };
}

/** What happens to a disk that is removed from the configuration; the first one came with the template. */
const withFate = (disks: readonly (readonly [string, object])[], fate: string): Record<string, Input> =>
  Object.fromEntries(
    disks.map(([slot, disk]) => [slot, slot === "scsi0" ? disk : { ...disk, on_remove: fate }]),
  ) as Record<string, Input>;

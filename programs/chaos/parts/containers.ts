import fc from "fast-check";
import { clonedContainers, newContainers } from "../../../test/contract/container/arbitrary-container.ts";
import { neverSmaller } from "../../../test/contract/transitions/arbitraries.ts";
import type { Input } from "../../../test/harness/index.ts";
import type { ClusterSeed } from "../cluster.ts";
import { Dice } from "../dice.ts";
import type { Actor, Part } from "../part.ts";
import type { Config } from "../script.ts";
import { nodes } from "../troubles.ts";
import { finishedGuest, GuestWatch, removeReserved, type WatchedKind } from "./guest-watch.ts";

const kind: WatchedKind = {
  type: "lxc",
  resource: "proxmox_container",
  noun: "container",
  nameOption: "hostname",
  volumeMap: "mounts",
};

const image = "nas:vztmpl/debian-13-standard_13.1-2_amd64.tar.zst";

/** A few containers, from an image or from another container. */
export const containers: Part = {
  name: "containers",
  crowd: (seed) => ({
    ...seed,
    guests: [...seed.guests, ...bystanders],
    container_templates: [...(seed.container_templates ?? []), image],
  }),
  cast(dice, seed): Actor[] {
    const names = ["dora", "emil"].slice(0, dice.int(1, 2)).map((name) => `${name}-${seed}`);
    return names.map((name, index) => ({
      address: `${kind.resource}.${name}`,
      guest: name,
      secret: `s3cret-${name}`,
      wishes: wishesOf(name, seed + index, new Dice(dice.int(1, 2 ** 31))),
    }));
  },
  targets: {
    tasks: [
      ...["vzcreate", "vzcreate", "vzclone", "resize", "move_volume", "vzmigrate", "vzstart", "vzshutdown", "vzstop"],
      ...["vzdestroy", "hastart", "hastop", "hamigrate"],
    ],
    writes: [
      "POST /nodes/{node}/lxc",
      "POST /nodes/{node}/lxc/{vmid}/clone",
      "PUT /nodes/{node}/lxc/{vmid}/config",
      "PUT /nodes/{node}/lxc/{vmid}/resize",
      "POST /nodes/{node}/lxc/{vmid}/move_volume",
      "POST /nodes/{node}/lxc/{vmid}/migrate",
      "POST /nodes/{node}/lxc/{vmid}/status/start",
      "POST /nodes/{node}/lxc/{vmid}/status/shutdown",
      "DELETE /nodes/{node}/lxc/{vmid}",
      "POST /cluster/ha/resources",
    ],
    privileges: [
      ...["VM.Allocate", "VM.Audit", "VM.Clone", "VM.Config.Disk", "VM.Config.Options", "VM.Config.Network"],
      ...["VM.Migrate", "VM.PowerMgmt", "Datastore.AllocateSpace", "Datastore.Audit"],
    ],
  },
  watch: (chronicle) => new GuestWatch(kind, chronicle),
  finished: finishedGuest(kind),
  obey: removeReserved,
};

/** A container that is not managed, with its own data. */
const container = (vmid: number, node: string, more: Record<string, string | number>, running = false) => ({
  vmid,
  type: "lxc",
  node,
  running,
  config: {
    hostname: `bystander-${vmid}`,
    arch: "amd64",
    ostype: "debian",
    unprivileged: 1,
    memory: 512,
    swap: 512,
    net0: `name=eth0,bridge=vmbr0,hwaddr=BC:24:55:00:00:${String(vmid % 100).padStart(2, "0")},ip=dhcp,type=veth`,
    ...more,
  },
});

const bystanders: ClusterSeed["guests"] = [
  container(511, "pve1", { rootfs: "local-lvm:vm-511-disk-0,size=4G", unused0: "ceph:vm-511-disk-1" }, true),
  container(512, "pve2", { rootfs: "ceph:vm-512-disk-0,size=4G", mp0: "nas:512/vm-512-disk-0.raw,mp=/data,size=1G" }),
  container(9110, "pve1", { hostname: "golden", template: 1, rootfs: "ceph:base-9110-disk-0,size=4G" }),
  container(9111, "pve1", { hostname: "model", rootfs: "local-zfs:subvol-9111-disk-0,size=4G", features: "nesting=1" }),
];

/** The configuration of one container in each step. Its name, its source and its VMID stay: they identify it. */
function wishesOf(name: string, seed: number, dice: Dice): Config[] {
  const source = dice.pick(["image", "image", "golden", "model"]);
  const fixed = {
    name,
    ...(source === "image" ? { image: { volume: image } } : { clone: { template: source } }),
    ...(dice.chance(0.5) && { vmid: 400 + (seed % 50) }),
  };
  const fate = dice.pick(["detach", "delete"]);
  const home = dice.pick(nodes);
  /** With the last size of each volume: one that is not written any more stays. */
  let before: Record<string, object> = {};
  const sampled = fc.sample(source === "image" ? newContainers : clonedContainers, { seed, numRuns: 3 });
  return sampled.map((sample, at) => {
    const wish = neverSmaller("mounts", { mounts: before as Input }, sample);
    for (const [slot, mount] of Object.entries((wish["mounts"] ?? {}) as object)) {
      before = { ...before, [slot]: { ...before[slot], ...mount } };
    }
    const password = source === "image" && at === 0 ? { password: `s3cret-${name}` } : {};
    return {
      ...fixed,
      ...password,
      power: dice.pick(["running", "stopped"]),
      // A volume that waits for a restart cannot be moved, so the next step might rightly be refused.
      restart_policy: "when_needed",
      ...(source === "image" || dice.chance(0.5) ? { node: dice.chance(0.7) ? home : dice.pick(nodes) } : {}),
      ...(dice.chance(0.3) && { pool: "crew" }),
      ...wish,
      ...(wish["mounts"] !== undefined && { mounts: withFate(wish["mounts"], fate) }),
    };
  });
}

/** What happens to a mount that is removed from the configuration; the root file system stays. */
const withFate = (mounts: Input, fate: string): Input =>
  Object.fromEntries(
    Object.entries(mounts as object).map(([slot, mount]) => [
      slot,
      slot === "rootfs" ? mount : { ...mount, on_remove: fate },
    ]),
  );

import type { Chronicle } from "../chronicle.ts";
import type { Dice } from "../dice.ts";
import { type Evidence, type Finding, finding } from "../judge.ts";
import { type Actor, ofType, type Part, type Watch } from "../part.ts";
import { refer } from "../references.ts";
import type { Config, Configs } from "../script.ts";
import type { Held } from "../stack.ts";
import { finishedGuest, GuestWatch, removeReserved } from "./guest-watch.ts";
import { kind as vmKind } from "./vms.ts";

const type = "proxmox_disk";

/** Disks that outlive VMs: they grow, go from one VM to the next and are in snapshots, while VMs come and go. */
export const disks: Part = {
  name: "disks",
  crowd: (seed) => seed,
  cast(dice, seed): Actor[] {
    const names = ["papers", "photos"].slice(0, dice.int(1, 2)).map((name) => `${name}-${seed}`);
    // A disk goes from the first VM to the second, never back: with one operation at a time the first must be changed first.
    const places = names.map(() => Array.from({ length: 3 }, () => dice.int(0, 2) - 1).sort((a, b) => a - b));
    const actors = names.map((name): Actor => ({ address: `${type}.${name}`, wishes: diskWishes(name, dice) }));
    const vms = ["xena", "yves"].map((name, at): Actor => {
      const held = (step: number) => names.filter((_, index) => places[index]?.[step] === at);
      const isTaken = (step: number) =>
        at === 1 && places.some((one) => one[step] === 1 && one.slice(0, step).includes(0));
      const order = (step: number) => (isTaken(step) ? { description: refer(`proxmox_vm.xena-${seed}`, "name") } : {});
      return {
        address: `proxmox_vm.${name}-${seed}`,
        wishes: [0, 1, 2].map((step) => ({ ...vmWish(`${name}-${seed}`, held(step), dice), ...order(step) })),
      };
    });
    // Of the VM that a disk leaves only together with its configuration: a snapshot needs the disks that are in it.
    return [...actors, ...vms, snapshotOf(vms[1]?.address ?? "", seed, dice)];
  },
  targets: {
    tasks: [
      "qmcreate",
      "qmconfig",
      "resize",
      "resize",
      "qmsnapshot",
      "qmdelsnapshot",
      "qmstart",
      "qmdestroy",
      "imgdel",
    ],
    writes: [
      "POST /nodes/{node}/storage/{storage}/content",
      "POST /nodes/{node}/storage/{storage}/content",
      "DELETE /nodes/{node}/storage/{storage}/content/{volume}",
      "POST /nodes/{node}/qemu",
      "PUT /nodes/{node}/qemu/{vmid}/config",
      "PUT /nodes/{node}/qemu/{vmid}/resize",
      "POST /nodes/{node}/qemu/{vmid}/snapshot",
      "DELETE /nodes/{node}/qemu/{vmid}/snapshot/{snapname}",
      "DELETE /nodes/{node}/qemu/{vmid}",
    ],
    privileges: [
      "VM.Allocate",
      "VM.Audit",
      "VM.Config.Disk",
      "VM.Snapshot",
      "Datastore.AllocateSpace",
      "Datastore.Allocate",
    ],
  },
  watch: (chronicle) => new DiskWatch(chronicle),
  finished(message) {
    const [, volume, name] = /id = "([^"]+:(?:\d+\/)?vm-\d+-((?:papers|photos)-\d+)[^"]*)"/.exec(message) ?? [];
    if (volume !== undefined) return { address: `${type}.${name}`, id: volume };
    const [, snapshot, seed] = /id = "(\d+\/s(\d+))"/.exec(message) ?? [];
    if (snapshot !== undefined) return { address: `proxmox_snapshot.snap-${seed}`, id: snapshot };
    return finishedGuest(vmKind)(message);
  },
  obey: removeReserved,
};

function diskWishes(name: string, dice: Dice): Config[] {
  const place = dice.pick([
    { storage: "ceph" },
    { storage: "nas", format: "qcow2" },
    { storage: "local-lvm", node: "pve1" },
  ]);
  const sizes = Array.from({ length: 3 }, () => dice.int(1, 4)).sort();
  const fixed = { ...place, name, destroy_data: true, ...(dice.chance(0.5) && { on_existing: "adopt" }) };
  return sizes.map((size) => ({ ...fixed, size: `${size}G` }));
}

function vmWish(name: string, held: readonly string[], dice: Dice): Config {
  const attached = held.map((disk, at) => [`scsi${at + 1}`, { volume: refer(`${type}.${disk}`, "volume") }] as const);
  return {
    name,
    node: "pve1",
    power: dice.pick(["running", "stopped"]),
    restart_policy: "when_needed",
    disks: { scsi0: { storage: "ceph", size: "1G" }, ...Object.fromEntries(attached) },
  };
}

function snapshotOf(vm: string, seed: number, dice: Dice): Actor {
  const wish = { vmid: refer(vm, "vmid"), name: `s${seed}`, ...(dice.chance(0.3) && { memory: true }) };
  return { address: `proxmox_snapshot.snap-${seed}`, wishes: [wish, wish, wish] };
}

/** No disk is lost, and no volume is left that no resource has. */
class DiskWatch implements Watch {
  readonly #chronicle: Chronicle;
  readonly #vms: GuestWatch;
  readonly #stamps = new Map<string, number>();

  constructor(chronicle: Chronicle) {
    this.#chronicle = chronicle;
    this.#vms = new GuestWatch(vmKind, chronicle);
  }

  plan(configs: Configs, held: ReadonlyMap<string, Held>): void {
    this.#vms.plan(configs, held);
    for (const address of this.#stamps.keys()) if (!(address in configs)) this.#stamps.delete(address);
    for (const [address, one] of ofType(type, held)) {
      const stamp = this.#stampOf(one);
      if (address in configs && stamp !== undefined && !this.#stamps.has(address)) this.#stamps.set(address, stamp);
    }
  }

  judge(evidence: Evidence): Finding[] {
    const lost = [...this.#stamps].flatMap(([address, stamp]) => {
      const held = evidence.held.get(address);
      const now = held && this.#stampOf(held);
      return now === stamp ? [] : [`${address} ${now === undefined ? "does not exist" : "is another volume"}`];
    });
    return [...this.#vms.judge(evidence), ...lost.map(finding("persistent disk lost"))];
  }

  *volumes({ held }: Evidence): Iterable<string> {
    for (const [, one] of ofType(type, held)) yield String(one.attribute("volume"));
  }

  #stampOf(held: Held): number | undefined {
    this.#chronicle.stamp();
    return this.#chronicle.volume(String(held.attribute("volume")), String(held.attribute("node")))?.stamp;
  }
}

import type { Simulator, World } from "#simulator";
import type { Part } from "./part.ts";

type Guest = World["guests"][string] & { stamp?: number };
type Volume = World["volumes"][number] & { stamp?: number };

/** A guest at one moment. Two successive guests of the same id, or volumes of the same name, have different stamps. */
export interface Portrait {
  readonly vmid: number;
  readonly node: string;
  readonly stamp: number;
  readonly disks: Readonly<Record<string, Disk>>;
  /** Whether every volume of its configuration exists. */
  readonly isWhole: boolean;
}

export interface Disk {
  readonly volid: string;
  readonly stamp: number;
  readonly size: number;
}

/** On a storage that is not shared, every node may have a volume of that name. */
const placeOf = (volid: string, node: string | undefined): string =>
  node === undefined ? volid : `${volid} on ${node}`;

/** An aborted copy may leave earlier copies behind. */
const ownerOf = (volid: string): string | undefined => /(?:vm|subvol)-(\d+)-/.exec(volid)?.[1];

/** Drives and mounts of a guest that hold data of its own. */
const isVolume = (option: string, line: string): boolean =>
  /^(rootfs|(scsi|virtio|sata|ide|mp|unused)\d+)$/.test(option) && !/media=cdrom|cloudinit/.test(line);

const copying = ["qmigrate", "qmmove", "vzmigrate", "move_volume"];

/** What PVE reserves a VMID with. */
const isEmpty = (config: Readonly<Record<string, string>>): boolean =>
  config["lock"] === "create" && config["name"] === undefined && config["hostname"] === undefined;

/** Records the initial state, and distinguishes guests of the same id and volumes of the same name. */
export class Chronicle {
  readonly #simulator: Simulator;
  readonly #parts: readonly Part[];
  readonly #others: ReadonlyMap<string, string>;
  readonly #refused = new Map<string, string>();
  readonly #excused = new Set<string>();
  #stamps = 0;

  constructor(simulator: Simulator, parts: readonly Part[]) {
    this.#simulator = simulator;
    this.#parts = parts;
    this.#listenForRefusals();
    this.stamp();
    this.#others = new Map(this.#possessions());
  }

  get world(): World {
    return this.#simulator.sim.world;
  }

  /** Call it often: what is created and deleted between two calls is never seen. */
  stamp(): void {
    for (const volume of this.world.volumes as Volume[]) volume.stamp ??= ++this.#stamps;
    for (const guest of Object.values(this.world.guests) as Guest[]) guest.stamp ??= ++this.#stamps;
  }

  isOthers(vmid: number): boolean {
    return this.#others.has(`guest ${vmid}`);
  }

  isOthersVolume({ volid, node }: Pick<Volume, "volid" | "node">): boolean {
    return this.#others.has(`volume ${placeOf(volid, node)}`);
  }

  /** Objects that are not managed and have changed. */
  damages(): string[] {
    const now = new Map(this.#possessions());
    return [...this.#others].flatMap(([what, was]) => {
      const is = now.get(what);
      return is === was ? [] : [`${what} ${is === undefined ? "is gone" : `was ${was} and is ${is}`}`];
    });
  }

  /** Volumes whose storage refused to delete them, while no client received PVE's warning. */
  isExcused(volid: string): boolean {
    const copies = [...this.#refused].filter(([, task]) => copying.includes(task));
    return this.#excused.has(volid) || copies.some(([refused]) => ownerOf(refused) === ownerOf(volid));
  }

  /** The client that would have received the warning was interrupted. */
  excuseRefusals(): void {
    for (const volid of this.#refused.keys()) this.#excused.add(volid);
    for (const { vmid, config } of Object.values(this.world.guests)) if (isEmpty(config)) this.#excused.add(`${vmid}`);
  }

  /** A VMID that PVE left reserved because no worker started, in a run that could not report it. */
  isExcusedStub(vmid: number): boolean {
    return this.#excused.has(`${vmid}`) && isEmpty(this.world.guests[vmid]?.config ?? {});
  }

  #listenForRefusals(): void {
    const { faults } = this.#simulator;
    const usual = faults.onDelete.bind(faults);
    faults.onDelete = async (process, storage, volume) => {
      const upid = "upid" in process ? String(process.upid) : "";
      await usual(process, storage, volume).catch((reason: unknown) => {
        this.#refused.set(`${storage.storage}:${volume}`, upid.split(":")[5] ?? "");
        throw reason;
      });
    };
  }

  portrait(vmid: number): Portrait | null {
    const guest: Guest | undefined = this.world.guests[vmid];
    if (guest === undefined) return null;
    this.stamp();
    const { node, stamp = 0, config } = guest;
    const lines = Object.entries(config).filter(([option, line]) => isVolume(option, line));
    const disks = lines.flatMap(([slot, line]): [string, Disk][] => {
      const volume = this.volume(line.split(",")[0] ?? "", node);
      return volume ? [[slot, { volid: volume.volid, stamp: volume.stamp ?? 0, size: volume.size }]] : [];
    });
    return { vmid, node, stamp, disks: Object.fromEntries(disks), isWhole: disks.length === lines.length };
  }

  volume(volid: string, node: string): Volume | undefined {
    const volumes = this.world.volumes as Volume[];
    return volumes.find((one) => one.volid === volid && (one.node === undefined || one.node === node));
  }

  *#possessions(): Iterable<readonly [string, string]> {
    for (const part of this.#parts) yield* part.possessions?.(this.world) ?? [];
    for (const { vmid, node, config, pending, snapshots } of Object.values(this.world.guests)) {
      yield [`guest ${vmid}`, JSON.stringify({ node, config, pending, snapshots })];
    }
    for (const { volid, node, stamp, size } of this.world.volumes as Volume[]) {
      yield [`volume ${placeOf(volid, node)}`, JSON.stringify({ stamp, size })];
    }
  }
}

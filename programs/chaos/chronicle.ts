import type { Simulator, World } from "#simulator";

type Guest = World["guests"][string];
type Volume = World["volumes"][number] & { stamp?: number };

/** A VM at one moment. Two successive volumes of the same name have different stamps. */
export interface Portrait {
  readonly vmid: number;
  readonly node: string;
  /** PVE generates a new one for every VM. */
  readonly generation: string;
  readonly disks: Readonly<Record<string, Disk>>;
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
const ownerOf = (volid: string): string | undefined => /vm-(\d+)-/.exec(volid)?.[1];

/** Records the initial state, and distinguishes volumes of the same name. */
export class Chronicle {
  readonly #simulator: Simulator;
  readonly #others: ReadonlyMap<string, string>;
  readonly #refused = new Map<string, string>();
  readonly #excused = new Set<string>();
  #stamps = 0;

  constructor(simulator: Simulator) {
    this.#simulator = simulator;
    this.#listenForRefusals();
    this.stampVolumes();
    this.#others = new Map(this.#possessions());
  }

  get world(): World {
    return this.#simulator.sim.world;
  }

  /** Call it often: a volume that is created and deleted between two calls is never seen. */
  stampVolumes(): void {
    for (const volume of this.world.volumes as Volume[]) volume.stamp ??= ++this.#stamps;
  }

  isOthers(vmid: number): boolean {
    return this.#others.has(`VM ${vmid}`);
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
    const copies = [...this.#refused].filter(([, task]) => task === "qmigrate" || task === "qmmove");
    return this.#excused.has(volid) || copies.some(([refused]) => ownerOf(refused) === ownerOf(volid));
  }

  /** The client that would have received the warning was interrupted. */
  excuseRefusals(): void {
    for (const volid of this.#refused.keys()) this.#excused.add(volid);
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
    const guest = this.world.guests[vmid];
    if (guest === undefined) return null;
    this.stampVolumes();
    const { config, node } = guest;
    return { vmid, node, generation: config["vmgenid"] ?? "", disks: this.#disksOf(guest) };
  }

  #disksOf({ config, node }: Guest): Record<string, Disk> {
    const drives = Object.entries(config).filter(
      ([key, line]) => /^(scsi|virtio|sata|ide|unused)\d+$/.test(key) && !/media=cdrom|cloudinit/.test(line),
    );
    return Object.fromEntries(
      drives.flatMap(([slot, line]) => {
        const volume = this.volume(line.split(",")[0] ?? "", node);
        return volume ? [[slot, { volid: volume.volid, stamp: volume.stamp ?? 0, size: volume.size }]] : [];
      }),
    );
  }

  volume(volid: string, node: string): Volume | undefined {
    const volumes = this.world.volumes as Volume[];
    return volumes.find((one) => one.volid === volid && (one.node === undefined || one.node === node));
  }

  *#possessions(): Iterable<[string, string]> {
    for (const { vmid, node, config, pending, snapshots } of Object.values(this.world.guests)) {
      yield [`VM ${vmid}`, JSON.stringify({ node, config, pending, snapshots })];
    }
    for (const { volid, node, stamp, size } of this.world.volumes as Volume[]) {
      yield [`volume ${placeOf(volid, node)}`, JSON.stringify({ stamp, size })];
    }
  }
}

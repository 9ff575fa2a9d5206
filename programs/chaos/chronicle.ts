import type { Simulator, World } from "#simulator";

type Guest = World["guests"][string];
type Volume = World["volumes"][number] & { stamp?: number };

/** What a VM is and has at one moment. Two volumes of one name, one after the other, have different stamps. */
export interface Portrait {
  readonly vmid: number;
  readonly node: string;
  /** PVE makes another one for every VM. */
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

/** A copy that is given up may leave what was copied before it. */
const ownerOf = (volid: string): string | undefined => /vm-(\d+)-/.exec(volid)?.[1];

/** Knows what was there before anything began, and tells volumes apart that only share a name. */
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

  /** To be called often: a volume that comes and goes between two looks is never seen. */
  stampVolumes(): void {
    for (const volume of this.world.volumes as Volume[]) volume.stamp ??= ++this.#stamps;
  }

  isOthers(vmid: number): boolean {
    return this.#others.has(`VM ${vmid}`);
  }

  isOthersVolume({ volid, node }: Pick<Volume, "volid" | "node">): boolean {
    return this.#others.has(`volume ${placeOf(volid, node)}`);
  }

  /** What belonged to somebody else and is not as it was. */
  damages(): string[] {
    const now = new Map(this.#possessions());
    return [...this.#others].flatMap(([what, was]) => {
      const is = now.get(what);
      return is === was ? [] : [`${what} ${is === undefined ? "is gone" : `was ${was} and is ${is}`}`];
    });
  }

  /** Volumes whose storage refused to delete them, and of which PVE told nobody who was there to hear it. */
  isExcused(volid: string): boolean {
    const copies = [...this.#refused].filter(([, task]) => task === "qmigrate" || task === "qmmove");
    return this.#excused.has(volid) || copies.some(([refused]) => ownerOf(refused) === ownerOf(volid));
  }

  /** Whoever would have been told was cut off. */
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

import type { Chronicle, Disk, Portrait } from "../chronicle.ts";
import type { Config, Configs } from "../script.ts";
import type { Held } from "../stack.ts";

/** A disk with data that no step destroys. */
export interface ProtectedDisk {
  /** The address of its guest. */
  readonly guest: string;
  readonly slot: string;
  readonly disk: Disk;
  /** A step asked for another storage, format or node: the data is then in another volume. */
  readonly mayBeElsewhere: boolean;
}

interface Wanted {
  readonly storage?: string;
  readonly format?: string;
  readonly on_remove?: string;
}

/** Records what must exist at the end, step by step as the configuration changes. */
export class GuestLedger {
  readonly #chronicle: Chronicle;
  readonly #volumeMap: "disks" | "mounts";
  readonly #stamps = new Map<string, number>();
  readonly #fates = new Map<string, string>();
  /** Addresses whose destroy was asked for at some time. */
  readonly #condemned = new Set<string>();
  #treasures: ProtectedDisk[] = [];

  constructor(chronicle: Chronicle, volumeMap: "disks" | "mounts") {
    this.#chronicle = chronicle;
    this.#volumeMap = volumeMap;
  }

  get treasures(): readonly ProtectedDisk[] {
    return this.#treasures;
  }

  /** The guest itself, for every address that has been in the state and must not be destroyed. */
  get stamps(): ReadonlyMap<string, number> {
    return this.#stamps;
  }

  /** Called before each apply, with its target. */
  plan(configs: Configs, held: ReadonlyMap<string, Held>): void {
    for (const name of held.keys()) if (!(name in configs)) this.#condemned.add(name);
    const staying = [...held].filter(
      ([name, one]) => name in configs && !one.isTainted && !this.#isDestroyedInPart(name, one),
    );
    const names = new Set(staying.map(([name]) => name));
    for (const name of this.#stamps.keys()) if (!names.has(name)) this.#stamps.delete(name);
    this.#treasures = this.#treasures.filter(({ guest }) => names.has(guest));
    for (const [name, one] of staying) {
      const portrait = this.#portraitOf(one);
      if (portrait) this.#expect(name, portrait, configs[name] ?? {});
    }
    this.#learnFates(configs);
  }

  /** A destroy that was asked for has removed some of its volumes: the rest is replaced if the guest is asked for again. */
  #isDestroyedInPart(name: string, one: Held): boolean {
    return this.#condemned.has(name) && this.#portraitOf(one)?.isWhole === false;
  }

  #portraitOf(one: Held): Portrait | null {
    return this.#chronicle.portrait(Number(one.attribute("vmid")));
  }

  /** The last written setting decides about a disk. */
  #learnFates(configs: Configs): void {
    for (const [name, config] of Object.entries(configs)) {
      for (const [slot, { on_remove: fate = "detach" }] of Object.entries(this.#disksIn(config))) {
        this.#fates.set(`${name} ${slot}`, fate);
      }
    }
  }

  #expect(name: string, portrait: Portrait, config: Config): void {
    this.#stamps.set(name, this.#stamps.get(name) ?? portrait.stamp);
    const after = this.#disksIn(config);
    const known = this.#treasures.filter(({ guest }) => guest === name);
    const found = Object.entries(portrait.disks).flatMap(([slot, disk]): ProtectedDisk[] => {
      if (known.some((one) => one.disk.stamp === disk.stamp)) return [];
      // A disk that outlives guests may go to another one.
      if (!disk.volid.includes(`-${portrait.vmid}-`)) return [];
      return [{ guest: name, slot, disk, mayBeElsewhere: false }];
    });
    const kept = [...known, ...found].filter(
      ({ slot }) => slot in after || this.#fates.get(`${name} ${slot}`) !== "delete",
    );
    const isLeaving = config["node"] !== undefined && config["node"] !== portrait.node;
    const judged = kept.map((one) => ({
      ...one,
      mayBeElsewhere: one.mayBeElsewhere || isLeaving || isMoved(one.disk.volid, after[one.slot]),
    }));
    this.#treasures = [...this.#treasures.filter(({ guest }) => guest !== name), ...judged];
  }

  #disksIn(config: Config): Record<string, Wanted> {
    return (config[this.#volumeMap] ?? {}) as Record<string, Wanted>;
  }
}

function isMoved(volid: string, wanted: Wanted | undefined): boolean {
  const [storage] = volid.split(":");
  const isElsewhere = wanted?.storage !== undefined && wanted.storage !== storage;
  return isElsewhere || (wanted?.format !== undefined && !volid.endsWith(`.${wanted.format}`));
}

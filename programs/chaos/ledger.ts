import type { Chronicle, Disk, Portrait } from "./chronicle.ts";
import type { Config, Configs } from "./script.ts";
import type { Held } from "./stack.ts";

/** A disk with data that no step destroys. */
export interface ProtectedDisk {
  readonly vm: string;
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
export class Ledger {
  readonly #chronicle: Chronicle;
  readonly #generations = new Map<string, string>();
  readonly #fates = new Map<string, string>();
  #treasures: ProtectedDisk[] = [];

  constructor(chronicle: Chronicle) {
    this.#chronicle = chronicle;
  }

  get treasures(): readonly ProtectedDisk[] {
    return this.#treasures;
  }

  /** The identity of the VM, for every name that has been in the state and must not be destroyed. */
  get generations(): ReadonlyMap<string, string> {
    return this.#generations;
  }

  /** Called before each apply, with its target. */
  plan(configs: Configs, held: ReadonlyMap<string, Held>): void {
    const staying = [...held].filter(([name, { isTainted }]) => name in configs && !isTainted);
    const names = new Set(staying.map(([name]) => name));
    for (const name of this.#generations.keys()) if (!names.has(name)) this.#generations.delete(name);
    this.#treasures = this.#treasures.filter(({ vm }) => names.has(vm));
    for (const [name, { vmid }] of staying) {
      const portrait = this.#chronicle.portrait(vmid);
      if (portrait) this.#expect(name, portrait, configs[name] ?? {});
    }
    this.#learnFates(configs);
  }

  /** The last written setting decides about a disk. */
  #learnFates(configs: Configs): void {
    for (const [name, config] of Object.entries(configs)) {
      for (const [slot, { on_remove: fate = "detach" }] of Object.entries(disksIn(config))) {
        this.#fates.set(`${name} ${slot}`, fate);
      }
    }
  }

  #expect(name: string, portrait: Portrait, config: Config): void {
    this.#generations.set(name, this.#generations.get(name) ?? portrait.generation);
    const after = disksIn(config);
    const known = this.#treasures.filter(({ vm }) => vm === name);
    const found = Object.entries(portrait.disks).flatMap(([slot, disk]): ProtectedDisk[] => {
      if (known.some((one) => one.disk.stamp === disk.stamp)) return [];
      return [{ vm: name, slot, disk, mayBeElsewhere: false }];
    });
    const kept = [...known, ...found].filter(
      ({ slot }) => slot in after || this.#fates.get(`${name} ${slot}`) !== "delete" || !("disks" in config),
    );
    const isLeaving = config["node"] !== undefined && config["node"] !== portrait.node;
    const judged = kept.map((one) => ({
      ...one,
      mayBeElsewhere: one.mayBeElsewhere || isLeaving || isMoved(one.disk.volid, after[one.slot]),
    }));
    this.#treasures = [...this.#treasures.filter(({ vm }) => vm !== name), ...judged];
  }
}

const disksIn = (config: Config | undefined): Record<string, Wanted> =>
  (config?.["disks"] ?? {}) as Record<string, Wanted>;

function isMoved(volid: string, wanted: Wanted | undefined): boolean {
  const [storage] = volid.split(":");
  const isElsewhere = wanted?.storage !== undefined && wanted.storage !== storage;
  return isElsewhere || (wanted?.format !== undefined && !volid.endsWith(`.${wanted.format}`));
}

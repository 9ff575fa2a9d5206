import type { Guest } from "../world/guest.ts";
import type { Node } from "../world/node.ts";
import { Cycle } from "./cycle.ts";
import type { Simulation } from "./simulation.ts";

/** What a node broadcasts about one of its guests: name, status, template flag, sizes, usage. */
export type GuestFigures = Readonly<Record<string, unknown>>;

export type FiguresOf = (sim: Simulation, guest: Guest) => GuestFigures;

/** Size and load of a node. */
export interface NodeFigures {
  readonly uptime: number;
  readonly cpu: number;
  readonly maxcpu: number;
  readonly mem: number;
  readonly maxmem: number;
  readonly disk: number;
  readonly maxdisk: number;
}

export type StatisticsSources = Readonly<Record<Guest["type"], FiguresOf>> & {
  readonly node: (sim: Simulation, node: Node) => NodeFigures;
};

/** A broadcast is dropped after this many seconds (pve-cluster: src/pmxcfs/status.c, `rrd_dump`). */
const expiry = 300;

interface Broadcast<T> {
  readonly figures: T;
  readonly from: string;
  readonly at: number;
}

/**
 * pvestatd: every node collects figures of itself and its guests about every 10 s and broadcasts them. Other nodes see
 * the state of the last cycle; a guest that is newer is unknown, and so is everything of a node whose pvestatd hangs
 * for longer than broadcasts are kept.
 */
export class Statistics {
  readonly #sim: Simulation;
  readonly #sources: StatisticsSources;
  readonly #guests = new Map<number, Broadcast<GuestFigures>>();
  readonly #nodes = new Map<string, Broadcast<NodeFigures>>();
  readonly #cycle = new Cycle();

  constructor(sim: Simulation, sources: StatisticsSources) {
    this.#sim = sim;
    this.#sources = sources;
  }

  /** The last broadcast about a guest, if any. */
  ofGuest(vmid: number): GuestFigures | undefined {
    return this.#kept(this.#guests.get(vmid));
  }

  /** The last broadcast of a node about itself, if any. */
  ofNode(name: string): NodeFigures | undefined {
    return this.#kept(this.#nodes.get(name));
  }

  /** One cycle of every online node whose pvestatd does not hang. */
  refresh(): void {
    const { world, clock } = this.#sim;
    const at = clock.now();
    const speaks = (node: Node | undefined) => node?.online === true && node.statisticsHangSince === undefined;
    for (const guest of Object.values(world.guests)) {
      if (!speaks(world.nodes[guest.node])) continue;
      const figures = this.#sources[guest.type](this.#sim, guest);
      this.#guests.set(guest.vmid, { figures, from: guest.node, at });
    }
    for (const vmid of this.#guests.keys()) {
      if (world.guests[vmid] === undefined) this.#guests.delete(vmid);
    }
    for (const node of Object.values(world.nodes).filter(speaks)) {
      this.#nodes.set(node.name, { figures: this.#sources.node(this.#sim, node), from: node.name, at });
    }
  }

  /** Starts the cycle with the current state. */
  start(): void {
    const { world, clock } = this.#sim;
    this.#guests.clear();
    this.#nodes.clear();
    this.refresh();
    this.#cycle.start(clock, world.cluster.behaviour.statisticsCycle, () => this.refresh());
  }

  stop(): void {
    this.#cycle.stop();
  }

  #kept<T>(broadcast: Broadcast<T> | undefined): T | undefined {
    if (broadcast === undefined) return undefined;
    const { world, clock } = this.#sim;
    const hangs = world.nodes[broadcast.from]?.statisticsHangSince ?? Number.POSITIVE_INFINITY;
    return clock.since(Math.min(broadcast.at, hangs)) < expiry ? broadcast.figures : undefined;
  }
}

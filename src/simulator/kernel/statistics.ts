import type { Guest } from "../world/guest.ts";
import type { Simulation } from "./simulation.ts";

/** What a node tells about one of its guests: name, status, template flag, sizes, usage. */
export type GuestFigures = Readonly<Record<string, unknown>>;

export type FiguresOf = (sim: Simulation, guest: Guest) => GuestFigures;

/** Figures of a node that went away are dropped after this many seconds. */
const expiry = 300;

/**
 * pvestatd: every node looks at its guests in a cycle of about 10 s and broadcasts what it saw. Who asks another source
 * than the node itself sees the state of the last cycle; a guest that is newer than that is unknown.
 */
export class Statistics {
  readonly #sim: Simulation;
  readonly #figuresOf: Readonly<Record<Guest["type"], FiguresOf>>;
  #known = new Map<number, { figures: GuestFigures; at: number }>();
  #timer: NodeJS.Timeout | undefined;

  constructor(sim: Simulation, figuresOf: Readonly<Record<Guest["type"], FiguresOf>>) {
    this.#sim = sim;
    this.#figuresOf = figuresOf;
  }

  /** The last broadcast about a guest; undefined if there is none. */
  ofGuest(vmid: number): GuestFigures | undefined {
    return this.#known.get(vmid)?.figures;
  }

  /** One cycle of every node that is up. */
  refresh(): void {
    const { world, clock } = this.#sim;
    const now = clock.now();
    const previous = this.#known;
    this.#known = new Map();
    for (const guest of Object.values(world.guests)) {
      if (world.nodes[guest.node]?.online ?? false) {
        const figures = this.#figuresOf[guest.type](this.#sim, guest);
        this.#known.set(guest.vmid, { figures, at: now });
        continue;
      }
      const old = previous.get(guest.vmid);
      if (old !== undefined && clock.since(old.at) < expiry) {
        this.#known.set(guest.vmid, old);
      }
    }
  }

  /** Starts the cycle, beginning with the present state. */
  start(): void {
    this.stop();
    this.refresh();
    const seconds = this.#sim.world.cluster.behaviour.statisticsCycle / this.#sim.clock.speed;
    this.#timer = setInterval(() => this.refresh(), seconds * 1000);
    this.#timer.unref();
  }

  stop(): void {
    clearInterval(this.#timer);
  }
}

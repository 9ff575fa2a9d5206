import { EventEmitter, once } from "node:events";
import type { Reference } from "./wire/reference.ts";

/** What a plan may refer to before it exists; `file` goes by volume ID. */
export type PlannedKind =
  | Reference
  | "bridge"
  | "interface"
  | "vm"
  | "container"
  | "file"
  | "cpu_model"
  | "firewall_alias"
  | "firewall_ipset"
  | "firewall_group";

/** How long no other plan may begin before a name counts as planned by no resource. */
const quietMs = 250;

/**
 * What the plan in progress will create, by kind and name. Terraform plans a resource after those it refers to, and at the
 * same time those it does not, so a check that misses a name waits a moment before it refuses it.
 */
export class PlannedObjects {
  readonly #planned = new Set<string>();
  readonly #created = new Set<string>();
  readonly #pools = new Map<string, string>();
  readonly #zones = new Map<string, string>();
  readonly #events = new EventEmitter().setMaxListeners(0);

  add(kind: PlannedKind, name: string | number): void {
    this.#planned.add(`${kind} ${name}`);
    this.#events.emit("change");
  }

  /** A guest that will be created in that pool, whose privileges apply to it. */
  addToPool(vmid: number, pool: string): void {
    this.#pools.set(String(vmid), pool);
  }

  poolOf(vmid: string): string | undefined {
    return this.#pools.get(vmid);
  }

  /** A vnet that will be in that zone, whose privileges apply to it. */
  addToZone(vnet: string, zone: string): void {
    this.#zones.set(vnet, zone);
  }

  zoneOf(vnet: string): string | undefined {
    return this.#zones.get(vnet);
  }

  has(kind: PlannedKind, name: string | number): boolean {
    return this.#planned.has(`${kind} ${name}`);
  }

  /** Whether the same plan creates it, whichever of the two Terraform plans first. */
  async includes(kind: PlannedKind, name: string | number): Promise<boolean> {
    while (!this.has(kind, name)) {
      if (!(await this.#changes(AbortSignal.timeout(quietMs)))) return false;
    }
    return true;
  }

  /** The object exists now. */
  fulfil(kind: PlannedKind, name: string | number): void {
    this.#created.add(`${kind} ${name}`);
    this.#events.emit("change");
  }

  /** Waits for an object that was planned and that Terraform creates at the same time; gives up after `patienceMs`. */
  async created(kind: PlannedKind, name: string | number, patienceMs: number, signal: AbortSignal): Promise<void> {
    const isAwaited = () => this.has(kind, name) && !this.#created.has(`${kind} ${name}`);
    // A limit keeps its timer until it is over, and most of what is asked for is there.
    if (!isAwaited()) return;
    const limit = AbortSignal.any([AbortSignal.timeout(patienceMs), signal]);
    while (isAwaited()) {
      if (!(await this.#changes(limit))) return;
    }
  }

  async #changes(limit: AbortSignal): Promise<boolean> {
    try {
      await once(this.#events, "change", { signal: limit });
      return true;
    } catch {
      return false;
    }
  }
}

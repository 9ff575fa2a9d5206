import { setTimeout as pause } from "node:timers/promises";

/** How long an object of the state may take to become known, once a guard is about to refuse another one for it. */
const patienceMs = 500;
const lookMs = 25;

/**
 * What Terraform has already, as far as this run has heard of it, read it or planned its change. A guard that refuses to take over
 * what exists looks here first: an object that is about to be replaced is not in its successor's way.
 */
export class ManagedObjects {
  readonly #things = new Set<string>();

  add(type: string, id: string): void {
    this.#things.add(`${type} ${id}`);
  }

  has(type: string, id: string): boolean {
    return this.#things.has(`${type} ${id}`);
  }

  /**
   * The same, for a guard that is about to refuse. Terraform plans a new object beside the removal of another resource's
   * (renamed, or left over from a failed replacement), and says nothing of that one beforehand.
   */
  async turnsUp(type: string, id: string): Promise<boolean> {
    for (let waitedMs = 0; !this.has(type, id) && waitedMs < patienceMs; waitedMs += lookMs) await pause(lookMs);
    return this.has(type, id);
  }
}

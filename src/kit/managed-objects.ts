/**
 * What Terraform has in its state, and what a plan does with it. A guard that refuses to take over what exists looks here
 * first: an object that is replaced is not in its successor's way. One that another resource's removal takes away is: Terraform
 * removes and creates objects of different resources in any order.
 */
export class ManagedObjects {
  readonly #things = new Set<string>();
  readonly #created = new Set<string>();
  readonly #removed = new Set<string>();

  add(type: string, id: string): void {
    this.#things.add(`${type} ${id}`);
  }

  has(type: string, id: string): boolean {
    return this.#things.has(`${type} ${id}`);
  }

  /** It is gone. */
  remove(type: string, id: string): void {
    this.#things.delete(`${type} ${id}`);
    this.#removed.delete(`${type} ${id}`);
  }

  /** A plan creates it. Returns whether the same plan removes it for another resource. */
  planCreation(type: string, id: string): boolean {
    this.#created.add(`${type} ${id}`);
    return this.#removed.has(`${type} ${id}`);
  }

  /** A plan removes it, and does not replace it. Returns whether the same plan creates it for another resource. */
  planRemoval(type: string, id: string): boolean {
    this.#removed.add(`${type} ${id}`);
    return this.#created.has(`${type} ${id}`);
  }

  /** The creation that was planned is done. */
  fulfil(type: string, id: string): void {
    this.#created.delete(`${type} ${id}`);
  }
}

/**
 * What Terraform has already, as far as this run has read it or planned its change. A guard that refuses to take over
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
}

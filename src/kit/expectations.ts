/**
 * What the plan being made is going to bring into being, by kind and name. Terraform plans a resource after those it
 * refers to, so whoever looks for a template or a pool finds here what is not in the cluster yet.
 */
export class Expectations {
  readonly #things = new Set<string>();

  add(kind: "vm" | "pool" | "storage" | "bridge" | "mapping", name: string | number): void {
    this.#things.add(`${kind} ${name}`);
  }

  has(kind: "vm" | "pool" | "storage" | "bridge" | "mapping", name: string | number): boolean {
    return this.#things.has(`${kind} ${name}`);
  }
}

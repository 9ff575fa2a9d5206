/** What a plan may come to depend on before it is there; `file` and `ha_resource` go by volume ID and service ID. */
type Kind = "vm" | "pool" | "storage" | "bridge" | "mapping" | "file" | "ha_resource" | "role" | "user" | "token";

/**
 * What the plan being made is going to bring into being, by kind and name. Terraform plans a resource after those it
 * refers to, so whoever looks for a template or a pool finds here what is not in the cluster yet.
 */
export class PlannedObjects {
  readonly #things = new Set<string>();

  add(kind: Kind, name: string | number): void {
    this.#things.add(`${kind} ${name}`);
  }

  has(kind: Kind, name: string | number): boolean {
    return this.#things.has(`${kind} ${name}`);
  }
}

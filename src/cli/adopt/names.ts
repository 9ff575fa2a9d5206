/** Names of resources, one for each object, made of what the object is called: `web-1` becomes `web_1`. */
export class ResourceNames {
  readonly #taken = new Set<string>();

  of(type: string, wanted: string): string {
    const words = wanted
      .toLowerCase()
      .replaceAll(/[^a-z0-9]+/g, "_")
      .replaceAll(/^_+|_+$/g, "");
    const plain = /^[a-z]/.test(words) ? words : `${type.replace("proxmox_", "")}_${words || "1"}`;
    for (let number = 1; ; number++) {
      const name = number === 1 ? plain : `${plain}_${number}`;
      if (this.#taken.has(`${type}.${name}`)) continue;
      this.#taken.add(`${type}.${name}`);
      return name;
    }
  }
}

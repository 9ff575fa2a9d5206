import { Decimal, type Input, Unknown, unknown } from "../../test/harness/index.ts";

const shape = /\$\{(\w+\.[\w-]+)\.([\w.]+)\}/g;

/** A reference, as Terraform writes it: `refer("proxmox_vm.anna-1", "vmid")`. It is a whole text, or part of one. */
export const refer = (address: string, path: string): string => `\${${address}.${path}}`;

/** The value that a reference stands for; the path leads to an attribute. */
export type Lookup = (address: string, path: readonly string[]) => Input;

/** The configuration with its references replaced. */
export function resolve(config: Input, lookup: Lookup): Input {
  if (typeof config === "string") {
    const found = [...config.matchAll(shape)].map(([text, address = "", path = ""]) => ({
      text,
      value: lookup(address, path.split(".")),
    }));
    const [first] = found;
    if (first === undefined || first.text === config) return first === undefined ? config : first.value;
    if (found.some(({ value }) => value instanceof Unknown)) return unknown;
    return found.reduce((text, one) => text.replace(one.text, textOf(one.value)), config);
  }
  if (Array.isArray(config)) return config.map((member) => resolve(member, lookup));
  if (typeof config !== "object" || config === null || Object.getPrototypeOf(config) !== Object.prototype)
    return config;
  return Object.fromEntries(Object.entries(config).map(([name, member]) => [name, resolve(member as Input, lookup)]));
}

const textOf = (value: Input): string => (value instanceof Decimal ? value.text : String(value));

/** Addresses of the objects that a configuration refers to. */
export function referencesIn(config: Input): string[] {
  const found = new Set<string>();
  resolve(config, (address) => {
    found.add(address);
    return null;
  });
  return [...found];
}

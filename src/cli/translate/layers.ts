import { raw } from "./conversions.ts";
import { Obj, print } from "./hcl/output.ts";

const isPlain = (map: Obj): boolean =>
  map.more.length === 0 && [...map.entries].every(([key, { value }]) => value instanceof Obj && !key.startsWith("("));

/** Lays entries of a map over those with the same keys: addresses over network cards, for instance. */
export function mergeLayer(out: Obj, name: string, layer: Obj): void {
  const base = out.entries.get(name)?.value;
  if (base === undefined) out.set(name, layer);
  else if (base instanceof Obj && isPlain(base) && isPlain(layer)) {
    for (const [key, { value, before }] of layer.entries) {
      const target = base.at([key]);
      if (!(value instanceof Obj)) continue;
      for (const [member, entry] of value.entries)
        target.set(member, entry.value, { before: [...before, ...entry.before], after: entry.after });
      target.tail.push(...value.tail);
    }
    base.tail.push(...layer.tail);
  } else {
    const [under, over] = [print(base, "    "), print(layer, "    ")];
    out.set(name, raw(`{ for slot, one in ${under} : slot => merge(one, try(${over}[slot], {})) }`));
  }
}

import { type Attributes, alreadyExists } from "#kit";
import type { DiskKind } from "./kind.ts";

/** What to say about a name that is taken. */
export function existing<A extends Attributes>(
  { type, noun }: DiskKind<A>,
  { node, name }: { readonly node: string; readonly name: string },
) {
  const label = `${noun.charAt(0).toUpperCase()}${noun.slice(1)} ${name} on ${node}`;
  return alreadyExists({ type, id: `${node}/${name}`, label, otherwise: "Otherwise choose another `name`." });
}

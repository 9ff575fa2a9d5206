import { requireSeed, SeedError } from "#simulator";
import type { Fields, Unseen } from "./reader.ts";

/** What the simulator does not know is left out: a newer release has options that it lacks. */
export function fitSeed(seed: Fields): { readonly seed: Fields; readonly left: readonly Unseen[] } {
  const fitted = structuredClone(seed) as Record<string, unknown>;
  const left: Unseen[] = [];
  for (;;) {
    const problem = problemOf(fitted);
    if (problem === null) return { seed: fitted, left };
    const [place = "", reason = ""] = problem.split(/: (.*)/s);
    const removed = partsOf(place).find((part) => removeAt(fitted, part));
    if (removed === undefined) throw new Error(`The export cannot be simulated: ${problem}`);
    left.push({ path: removed, reason: `not known to the simulator: ${reason}` });
  }
}

function problemOf(seed: Fields): string | null {
  try {
    requireSeed(seed);
    return null;
  } catch (thrown) {
    if (thrown instanceof SeedError) return thrown.message;
    throw thrown;
  }
}

/** A place, and what it is in, from the inside: an object that lacks what it must have is removed as a whole. */
function partsOf(place: string): string[] {
  const parts = [place];
  for (let part = place; part !== ""; ) {
    part = part.replace(/(?:\.[^.[\]]+|\[\d+\]|^[^.[\]]+)$/, "");
    if (part === parts.at(-1)) break;
    if (part !== "") parts.push(part);
  }
  return parts;
}

/** `guests[3].config.scsi0` */
function removeAt(seed: Fields, place: string): boolean {
  const keys = place.split(/[.[\]]+/).filter(Boolean);
  const last = keys.pop();
  const parent = keys.reduce<unknown>((value, key) => (value as Fields | undefined)?.[key], seed);
  if (last === undefined || typeof parent !== "object" || parent === null || !(last in parent)) return false;
  if (Array.isArray(parent)) parent.splice(Number(last), 1);
  else delete (parent as Record<string, unknown>)[last];
  return true;
}

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
    // An object without something that it needs goes as a whole: its type was not known.
    const removed = [place, place.replace(/\.[^.]*$/, "")].find((one) => removeAt(fitted, one));
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

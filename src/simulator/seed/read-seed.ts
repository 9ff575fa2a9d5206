import { Failure } from "../core/kernel/failure.ts";
import { checkParameters } from "../core/schema/validate.ts";
import { type Seed, seedProperties } from "./seed-schema.ts";

/** An invalid seed; the message names the place: `guests[3].config.scsi0: …`. */
export class SeedError extends Error {
  constructor(place: string, problem: string) {
    super(`${place}: ${problem}`);
    this.name = "SeedError";
  }
}

/** Checks a parsed seed file against the format. */
export function readSeed(data: unknown): Seed {
  if (typeof data !== "object" || data === null || Array.isArray(data)) {
    throw new SeedError("seed", "must be a JSON object");
  }
  try {
    return checkParameters(seedProperties, data as Record<string, unknown>).params as Seed;
  } catch (thrown) {
    throw seedErrorOf(thrown);
  }
}

/** The first thing that a check found, with its place in the seed; anything else as it is. */
export function seedErrorOf(thrown: unknown, before = ""): unknown {
  if (thrown instanceof Failure && thrown.errors !== undefined) {
    const [place, problem] = Object.entries(thrown.errors)[0] as [string, string];
    return new SeedError(`${before}${place}`, problem.trim());
  }
  return thrown;
}

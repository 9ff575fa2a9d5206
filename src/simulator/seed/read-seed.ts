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
    if (thrown instanceof Failure && thrown.errors !== undefined) {
      const [place, problem] = Object.entries(thrown.errors)[0] as [string, string];
      throw new SeedError(place, problem.trim());
    }
    throw thrown;
  }
}

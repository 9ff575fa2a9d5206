import { fromJson, toStoredJson } from "../codec/json.ts";
import type { Path } from "../diagnostics.ts";
import type { Type } from "../schema/type.ts";
import type { Json } from "../values/json.ts";
import type { Value } from "../values/value.ts";

/** What was there before a line of the configuration took effect. `was` undefined: that is not known. */
export interface Remembered {
  readonly was: Json | undefined;
}

/** Stands for an object that was there; what is in it is remembered member by member. */
const PRESENT = {};

/**
 * What each line of the last applied configuration took the place of, so that a line that leaves can be undone. Lives in
 * the private state, by path.
 */
export class Memory {
  readonly #entries: Map<string, Remembered>;

  constructor(entries: Iterable<readonly [string, Remembered]> = []) {
    this.#entries = new Map(entries);
  }

  /** Undefined: nothing was ever remembered, as in a state that is imported, moved or older. */
  static parse(stored: unknown): Memory | undefined {
    if (typeof stored !== "object" || stored === null) return undefined;
    const entries = Object.entries(stored).map(([key, entry]) => {
      const isKnown = typeof entry === "object" && entry !== null && "was" in entry;
      return [key, { was: isKnown ? (entry.was as Json) : undefined }] as const;
    });
    return new Memory(entries);
  }

  toJSON(): object {
    return Object.fromEntries([...this.#entries].sort(([a], [b]) => (a < b ? -1 : 1)));
  }

  find(path: Path): Remembered | undefined {
    return this.#entries.get(pathKey(path));
  }

  has(path: Path): boolean {
    return this.#entries.has(pathKey(path));
  }

  /** Whether the object at this place was not there. */
  wasAbsent(path: Path): boolean {
    return this.find(path)?.was === null;
  }

  /** The value that was there; undefined if that is not known. What an older schema stored may not fit any more. */
  valueAt(path: Path, type: Type): Value | undefined {
    const was = this.find(path)?.was;
    if (was === undefined) return undefined;
    try {
      return fromJson(type, was);
    } catch {
      return undefined;
    }
  }

  note(path: Path, was: Value | "present" | undefined): void {
    const stored = was === "present" ? PRESENT : was === undefined ? undefined : toStoredJson(was);
    this.#entries.set(pathKey(path), { was: stored });
  }

  filter(isKept: (key: string, words: readonly string[]) => boolean): Memory {
    return new Memory([...this.#entries].filter(([key]) => isKept(key, JSON.parse(key) as string[])));
  }

  copy(): Memory {
    return new Memory(this.#entries);
  }
}

/** One text for each place. */
export const pathKey = (path: Path): string =>
  JSON.stringify(
    path.map((step) => ("attribute" in step ? step.attribute : "key" in step ? step.key : String(step.index))),
  );

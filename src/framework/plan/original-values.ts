import { fromJson, toStoredJson } from "../codec/json.ts";
import type { Path } from "../diagnostics.ts";
import type { Type } from "../schema/type.ts";
import type { Json } from "../values/json.ts";
import type { Value } from "../values/value.ts";

/** The value from before an argument took effect. `was` undefined: it is not known. */
export interface OriginalValue {
  readonly was: Json | undefined;
  /** The attribute's own argument, not only that of a sibling which decides the value too. */
  readonly own?: true;
}

const entryOf = (was: Json | undefined, isOwn: boolean): OriginalValue => (isOwn ? { was, own: true } : { was });

/** An object that existed. Its arguments have entries of their own; `absent` are members that its own argument brings. */
export class PresentObject {
  readonly absent: readonly string[];

  constructor(absent: readonly string[]) {
    this.absent = absent;
  }

  toJSON(): Json {
    return this.absent.length > 0 ? { absent: [...this.absent] } : {};
  }
}

/**
 * The values that the arguments of the last applied configuration replaced, so that a removed argument can be undone.
 * Stored in the private state, by path.
 */
export class OriginalValues {
  readonly #entries: Map<string, OriginalValue>;

  constructor(entries: Iterable<readonly [string, OriginalValue]> = []) {
    this.#entries = new Map(entries);
  }

  /** Undefined: nothing was ever recorded, as in a state that is imported, moved or older. */
  static parse(stored: unknown): OriginalValues | undefined {
    if (typeof stored !== "object" || stored === null) return undefined;
    const entries = Object.entries(stored).map(([key, entry]) => {
      const { was, own } = (typeof entry === "object" && entry !== null ? entry : {}) as Partial<OriginalValue>;
      return [key, entryOf(was, own === true)] as const;
    });
    return new OriginalValues(entries);
  }

  toJSON(): object {
    return Object.fromEntries([...this.#entries].sort(([a], [b]) => (a < b ? -1 : 1)));
  }

  find(path: Path): OriginalValue | undefined {
    return this.#entries.get(pathKey(path));
  }

  has(path: Path): boolean {
    return this.#entries.has(pathKey(path));
  }

  /** Whether the object at this place did not exist. */
  wasAbsent(path: Path): boolean {
    return this.find(path)?.was === null;
  }

  /** The original value; undefined if it is not known. A value stored by an older schema may no longer fit. */
  valueAt(path: Path, type: Type): Value | undefined {
    const was = this.find(path)?.was;
    if (was === undefined) return undefined;
    try {
      return fromJson(type, was);
    } catch {
      return undefined;
    }
  }

  /** Whether the object at this place existed, and lacked this member. */
  lackedMember(path: Path, name: string): boolean {
    const { absent } = (this.find(path)?.was ?? {}) as { readonly absent?: readonly string[] };
    return Array.isArray(absent) && absent.includes(name);
  }

  note(path: Path, was: Value | PresentObject | undefined): void {
    const stored = was instanceof PresentObject ? was.toJSON() : was === undefined ? undefined : toStoredJson(was);
    this.#entries.set(pathKey(path), { was: stored });
  }

  /** Records whose argument it was. */
  own(path: Path, isOwn: boolean): void {
    const entry = this.find(path);
    if (entry) this.#entries.set(pathKey(path), entryOf(entry.was, isOwn));
  }

  filter(isKept: (key: string, words: readonly string[]) => boolean): OriginalValues {
    return new OriginalValues([...this.#entries].filter(([key]) => isKept(key, JSON.parse(key) as string[])));
  }

  copy(): OriginalValues {
    return new OriginalValues(this.#entries);
  }
}

/** A unique key for each path. */
export const pathKey = (path: Path): string =>
  JSON.stringify(
    path.map((step) => ("attribute" in step ? step.attribute : "key" in step ? step.key : String(step.index))),
  );

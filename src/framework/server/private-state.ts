import { Memory } from "../plan/memory.ts";

/**
 * What a resource remembers besides its attributes. Terraform keeps it as bytes it does not look into; here they are
 * JSON: the author's value, and what the framework itself must remember.
 */
export class PrivateState {
  /** The author's part; hooks may write to it. */
  readonly value: object;
  /** The object was imported and has not been read since. */
  imported: boolean;
  /** What the lines of the configuration took the place of. Undefined: that was never noted. */
  memory: Memory | undefined;
  readonly #original: Uint8Array;
  readonly #hasValue: boolean;

  constructor(bytes: Uint8Array, initial: object | undefined) {
    const stored = parse(bytes);
    this.value = { ...structuredClone(initial), ...stored.value };
    this.imported = stored.imported;
    this.memory = Memory.parse(stored.before);
    this.#original = bytes;
    this.#hasValue = initial !== undefined;
  }

  /** What is not ours to understand is given back as it came. */
  encode(): Uint8Array {
    const isOurs = this.#hasValue || this.imported || this.memory !== undefined || parse(this.#original).imported;
    if (!isOurs) return this.#original;
    const imported = this.imported ? { imported: true } : {};
    const before = this.memory ? { before: this.memory } : {};
    return new TextEncoder().encode(JSON.stringify({ value: this.value, ...imported, ...before }));
  }
}

interface Stored {
  readonly value: object;
  readonly imported: boolean;
  readonly before: unknown;
}

const NOTHING: Stored = { value: {}, imported: false, before: undefined };

function parse(bytes: Uint8Array): Stored {
  try {
    const stored: unknown = JSON.parse(new TextDecoder().decode(bytes));
    if (typeof stored !== "object" || stored === null) return NOTHING;
    const value = "value" in stored && typeof stored.value === "object" && stored.value !== null ? stored.value : {};
    const imported = "imported" in stored && stored.imported === true;
    return { value, imported, before: "before" in stored ? stored.before : undefined };
  } catch {
    return NOTHING;
  }
}

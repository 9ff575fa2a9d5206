import { OriginalValues } from "../plan/original-values.ts";

/**
 * What a resource stores besides its attributes. For Terraform it is opaque bytes; here it is JSON: the author's value,
 * and the framework's own data.
 */
export class PrivateState {
  /** The author's part; hooks may write to it. */
  readonly value: object;
  /** The object was imported and has not been read since. */
  imported: boolean;
  /** The values from before each argument was set. Undefined: they were never recorded. */
  originals: OriginalValues | undefined;
  readonly #original: Uint8Array;
  readonly #hasValue: boolean;

  constructor(bytes: Uint8Array, initial: object | undefined) {
    const stored = parse(bytes);
    this.value = { ...structuredClone(initial), ...stored.value };
    this.imported = stored.imported;
    this.originals = OriginalValues.parse(stored.before);
    this.#original = bytes;
    this.#hasValue = initial !== undefined;
  }

  /** Data of unknown origin is returned unchanged. */
  encode(): Uint8Array {
    const isOurs = this.#hasValue || this.imported || this.originals !== undefined || parse(this.#original).imported;
    if (!isOurs) return this.#original;
    const imported = this.imported ? { imported: true } : {};
    const before = this.originals ? { before: this.originals } : {};
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

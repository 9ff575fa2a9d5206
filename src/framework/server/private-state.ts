import { OriginalValues } from "../plan/original-values.ts";
import type { Refusal } from "./collector.ts";

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
  /** Why the plan must not be applied. */
  refusal: Refusal | undefined;
  readonly #original: Uint8Array;
  readonly #hasValue: boolean;

  constructor(bytes: Uint8Array, initial: object | undefined) {
    const stored = parse(bytes);
    this.value = { ...structuredClone(initial), ...stored.value };
    this.imported = stored.imported;
    this.originals = OriginalValues.parse(stored.before);
    this.refusal = stored.refusal;
    this.#original = bytes;
    this.#hasValue = initial !== undefined;
  }

  /** Data of unknown origin is returned unchanged. */
  encode(): Uint8Array {
    const { value, originals: before, refusal } = this;
    const stored = parse(this.#original);
    const wasOurs = stored.imported || stored.refusal !== undefined;
    const isOurs = this.#hasValue || this.imported || before !== undefined || refusal !== undefined || wasOurs;
    if (!isOurs) return this.#original;
    const imported = this.imported || undefined;
    return new TextEncoder().encode(JSON.stringify({ value, imported, before, refusal }));
  }
}

interface Stored {
  readonly value: object;
  readonly imported: boolean;
  readonly before: unknown;
  readonly refusal: Refusal | undefined;
}

const NOTHING: Stored = { value: {}, imported: false, before: undefined, refusal: undefined };

function parse(bytes: Uint8Array): Stored {
  try {
    const stored: unknown = JSON.parse(new TextDecoder().decode(bytes));
    if (typeof stored !== "object" || stored === null) return NOTHING;
    const value = "value" in stored && typeof stored.value === "object" && stored.value !== null ? stored.value : {};
    const imported = "imported" in stored && stored.imported === true;
    const refusal = "refusal" in stored ? (stored.refusal as Refusal) : undefined;
    return { value, imported, before: "before" in stored ? stored.before : undefined, refusal };
  } catch {
    return NOTHING;
  }
}

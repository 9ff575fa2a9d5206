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
  /** The system that the object is in, where the provider can distinguish several. */
  origin: string | undefined;
  /** All of it is lost, as after a run that was killed in a change: Terraform then keeps the state without it. */
  isLost: boolean;
  readonly #original: Uint8Array;
  readonly #hasValue: boolean;

  constructor(bytes: Uint8Array, initial: object | undefined) {
    const stored = parse(bytes);
    this.value = { ...structuredClone(initial), ...stored.value };
    this.imported = stored.imported;
    this.originals = OriginalValues.parse(stored.before);
    this.refusal = stored.refusal;
    this.origin = stored.origin;
    this.isLost = stored.isLost;
    this.#original = bytes;
    this.#hasValue = initial !== undefined;
  }

  /** Data of unknown origin is returned unchanged. */
  encode(): Uint8Array {
    const { value, originals: before, refusal, origin } = this;
    const stored = parse(this.#original);
    const wasOurs = stored.imported || stored.refusal !== undefined || stored.origin !== undefined;
    const isNew = this.imported || before !== undefined || refusal !== undefined || origin !== undefined;
    if (!this.#hasValue && !isNew && !wasOurs) return this.#original;
    const imported = this.imported || undefined;
    const lost = (this.isLost && before === undefined) || undefined;
    return new TextEncoder().encode(JSON.stringify({ value, imported, before, refusal, origin, lost }));
  }

  /** The object exists: if there is nothing although something is always stored, that is lost. */
  noteLoss(): void {
    if (this.#hasValue && this.#original.length === 0) this.isLost = true;
  }
}

interface Stored {
  readonly value: object;
  readonly imported: boolean;
  readonly before: unknown;
  readonly refusal: Refusal | undefined;
  readonly origin: string | undefined;
  readonly isLost: boolean;
}

const NOTHING: Stored = {
  value: {},
  imported: false,
  before: undefined,
  refusal: undefined,
  origin: undefined,
  isLost: false,
};

function parse(bytes: Uint8Array): Stored {
  try {
    const stored: unknown = JSON.parse(new TextDecoder().decode(bytes));
    if (typeof stored !== "object" || stored === null) return NOTHING;
    const value = "value" in stored && typeof stored.value === "object" && stored.value !== null ? stored.value : {};
    const imported = "imported" in stored && stored.imported === true;
    const refusal = "refusal" in stored ? (stored.refusal as Refusal) : undefined;
    const origin = "origin" in stored && typeof stored.origin === "string" ? stored.origin : undefined;
    const isLost = "lost" in stored && stored.lost === true;
    return { value, imported, before: "before" in stored ? stored.before : undefined, refusal, origin, isLost };
  } catch {
    return NOTHING;
  }
}

/**
 * What a resource remembers besides its attributes. Terraform keeps it as bytes it does not look into; here they are
 * JSON: the author's value, and what the framework itself must remember.
 */
export class PrivateState {
  /** The author's part; hooks may write to it. */
  readonly value: object;
  /** The object was imported and has not been read since. */
  imported: boolean;
  readonly #original: Uint8Array;
  readonly #hasValue: boolean;

  constructor(bytes: Uint8Array, initial: object | undefined) {
    const stored = parse(bytes);
    this.value = { ...structuredClone(initial), ...stored.value };
    this.imported = stored.imported;
    this.#original = bytes;
    this.#hasValue = initial !== undefined;
  }

  /** What is not ours to understand is given back as it came. */
  encode(): Uint8Array {
    if (!this.#hasValue && !this.imported && !parse(this.#original).imported) return this.#original;
    const imported = this.imported ? { imported: true } : {};
    return new TextEncoder().encode(JSON.stringify({ value: this.value, ...imported }));
  }
}

function parse(bytes: Uint8Array): { value: object; imported: boolean } {
  try {
    const stored: unknown = JSON.parse(new TextDecoder().decode(bytes));
    if (typeof stored !== "object" || stored === null) return { value: {}, imported: false };
    const value = "value" in stored && typeof stored.value === "object" && stored.value !== null ? stored.value : {};
    return { value, imported: "imported" in stored && stored.imported === true };
  } catch {
    return { value: {}, imported: false };
  }
}

import type { Type } from "../schema/type.ts";
import type { DynamicValue } from "../server.ts";
import type { Value } from "../values/value.ts";
import { decodeValue } from "./dynamic-value.ts";

const limits = { values: 64, bytes: 64 * 1024 };

/**
 * Decodes values, and remembers the last ones: Terraform sends an unchanged object three times in a plan (to be read, as it
 * was before, as it is proposed) and its configuration twice.
 */
export class RecentValues {
  readonly #recent = new Map<string, { readonly type: Type; readonly value: Value }>();

  /** Throws `CodecError`. */
  decode(type: Type, encoded: DynamicValue): Value {
    const { msgpack } = encoded;
    if (msgpack === undefined || msgpack.length > limits.bytes) return decodeValue(type, encoded);
    const key = Buffer.from(msgpack.buffer, msgpack.byteOffset, msgpack.byteLength).toString("latin1");
    const known = this.#recent.get(key);
    if (known?.type === type) return known.value;
    const value = decodeValue(type, encoded);
    this.#remember(key, { type, value });
    return value;
  }

  #remember(key: string, known: { readonly type: Type; readonly value: Value }): void {
    this.#recent.set(key, known);
    const [oldest] = this.#recent.keys();
    if (this.#recent.size > limits.values && oldest !== undefined) this.#recent.delete(oldest);
  }
}

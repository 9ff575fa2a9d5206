const twoTo32 = 2 ** 32;

/**
 * Writes protobuf's wire format back to front: a nested message is complete before its length is written, so nothing is
 * measured beforehand and nothing moved afterwards. Callers write the last field first, and of each field its value,
 * then its tag.
 */
export class WireWriter {
  #buffer: Buffer = Buffer.allocUnsafe(512);
  /** Where the written part begins; it extends to the end of the buffer. */
  #start = this.#buffer.length;

  /** How many bytes are written. */
  get length(): number {
    return this.#buffer.length - this.#start;
  }

  tag(number: number, wire: number): void {
    this.varint((number << 3) | wire);
  }

  /** Any whole number that a `number` holds exactly; negative ones take ten bytes, as the format requires. */
  varint(value: number): void {
    if (!Number.isSafeInteger(value)) throw new RangeError(`${value} is not a whole number that can be sent exactly`);
    let low = value >>> 0;
    let high = Math.floor(value / twoTo32) >>> 0;
    let at = this.#reserve(varintLength(low, high));
    while (high !== 0 || low > 0x7f) {
      this.#buffer[at++] = (low & 0x7f) | 0x80;
      low = ((low >>> 7) | (high << 25)) >>> 0;
      high >>>= 7;
    }
    this.#buffer[at] = low;
  }

  string(value: string): void {
    const length = Buffer.byteLength(value, "utf8");
    const at = this.#reserve(length);
    this.#buffer.write(value, at, length, "utf8");
    this.varint(length);
  }

  bytes(value: Uint8Array): void {
    const at = this.#reserve(value.length);
    this.#buffer.set(value, at);
    this.varint(value.length);
  }

  finish(): Buffer {
    return this.#buffer.subarray(this.#start);
  }

  /** Makes room before the written part and returns its start; the buffer may be replaced. */
  #reserve(length: number): number {
    if (length > this.#start) this.#grow(length);
    this.#start -= length;
    return this.#start;
  }

  #grow(length: number): void {
    const written = this.length;
    // The margin is for the tag and length that follow a value too large for doubling.
    const larger = Buffer.allocUnsafe(Math.max(this.#buffer.length * 2, written + length + 256));
    this.#buffer.copy(larger, larger.length - written, this.#start);
    this.#buffer = larger;
    this.#start = larger.length - written;
  }
}

function varintLength(low: number, high: number): number {
  const bits = high === 0 ? 32 - Math.clz32(low) : 64 - Math.clz32(high);
  return Math.max(1, Math.ceil(bits / 7));
}

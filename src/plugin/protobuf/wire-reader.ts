import { isUtf8 } from "node:buffer";

/** The bytes do not match the schema, or are truncated. */
export class MalformedMessage extends Error {
  override name = "MalformedMessage";
}

/** How a field's value is encoded: the low three bits of its tag. */
export const Wire = { varint: 0, fixed64: 1, delimited: 2, startGroup: 3, endGroup: 4, fixed32: 5 } as const;

/** Deeper than any schema, shallower than the stack. */
const maxDepth = 100;

const twoTo32 = 2 ** 32;

/**
 * Reads protobuf's wire format front to back. Every read is checked against the end of its message, so malformed bytes
 * always end in `MalformedMessage`.
 */
export class WireReader {
  readonly #bytes: Buffer;
  #at = 0;
  #end: number;
  #depth = 0;
  /** Upper half of the last varint; a field, because returning a pair would allocate for every number. */
  #high = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#end = bytes.byteLength;
  }

  get atEnd(): boolean {
    return this.#at >= this.#end;
  }

  /** The next field's number and wire type. */
  tag(): { number: number; wire: number } {
    const tag = this.uint32();
    const number = tag >>> 3;
    if (number === 0) throw new MalformedMessage("a field has the number 0");
    return { number, wire: tag & 7 };
  }

  bool(): boolean {
    const low = this.#varint();
    return low !== 0 || this.#high !== 0;
  }

  int32(): number {
    return this.#varint() | 0;
  }

  uint32(): number {
    const low = this.#varint();
    if (this.#high !== 0) throw new MalformedMessage("a number does not fit its 32 bits");
    return low;
  }

  /** The nearest `number`: every int64 of these protocols is a count, a version or a time, far below 2^53. */
  int64(): number {
    const low = this.#varint();
    return (this.#high | 0) * twoTo32 + low;
  }

  string(): string {
    const bytes = this.bytes();
    if (!isUtf8(bytes)) throw new MalformedMessage("a string is not UTF-8");
    return bytes.toString("utf8");
  }

  /** A view, not a copy: a state of many megabytes is not copied. */
  bytes(): Buffer {
    const length = this.uint32();
    const start = this.#at;
    this.#advance(length);
    return this.#bytes.subarray(start, this.#at);
  }

  /** Runs `read` on the following delimited bytes, as if the message ended with them. */
  within(read: () => void): void {
    const length = this.uint32();
    const outerEnd = this.#end;
    if (length > outerEnd - this.#at) throw truncated();
    this.#end = this.#at + length;
    this.#deeper(read);
    this.#end = outerEnd;
  }

  /** Skips the value of an unknown field. */
  skip(number: number, wire: number): void {
    if (wire === Wire.varint) this.#varint();
    else if (wire === Wire.fixed64) this.#advance(8);
    else if (wire === Wire.fixed32) this.#advance(4);
    else if (wire === Wire.delimited) this.#advance(this.uint32());
    else if (wire === Wire.startGroup) this.#deeper(() => this.#skipGroup(number));
    else throw new MalformedMessage(`field ${number} has the impossible wire type ${wire}`);
  }

  #skipGroup(group: number): void {
    for (;;) {
      const { number, wire } = this.tag();
      if (wire !== Wire.endGroup) this.skip(number, wire);
      else if (number === group) return;
      else throw new MalformedMessage(`group ${group} is ended as ${number}`);
    }
  }

  #deeper(read: () => void): void {
    if (this.#depth >= maxDepth) throw new MalformedMessage(`messages are nested deeper than ${maxDepth}`);
    this.#depth++;
    read();
    this.#depth--;
  }

  #advance(length: number): void {
    if (length > this.#end - this.#at) throw truncated();
    this.#at += length;
  }

  /** Seven bits a byte, lowest first, at most ten bytes. Returns the lower 32 bits and leaves the rest in `#high`. */
  #varint(): number {
    let low = 0;
    let high = 0;
    for (let shift = 0; shift < 70; shift += 7) {
      if (this.#at >= this.#end) throw truncated();
      const byte = this.#bytes[this.#at++] ?? 0;
      const bits = byte & 0x7f;
      if (shift === 63 && bits > 1) break;
      if (shift < 32) low |= bits << shift;
      if (shift > 28) high |= bits << (shift - 32);
      else if (shift === 28) high |= bits >>> 4;
      if (byte < 0x80) {
        this.#high = high >>> 0;
        return low >>> 0;
      }
    }
    throw new MalformedMessage("a number is longer than 64 bits");
  }
}

function truncated(): MalformedMessage {
  return new MalformedMessage("the message is truncated");
}

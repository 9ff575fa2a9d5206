/**
 * The part of MessagePack that Terraform uses, written from the format's description. Integers are bigints, floats are
 * numbers, so that the two stay apart; an extension keeps its code and its bytes.
 */
export type Packed =
  | null
  | boolean
  | bigint
  | number
  | string
  | Uint8Array
  | Packed[]
  | Map<Packed, Packed>
  | { extension: number; bytes: Uint8Array };

export function pack(value: Packed): Uint8Array {
  return Buffer.concat(chunks(value));
}

export function unpack(bytes: Uint8Array): Packed {
  const reader = new Reader(bytes);
  const value = read(reader);
  if (!reader.done) throw new Error("bytes are left over after the value");
  return value;
}

function chunks(value: Packed): Uint8Array[] {
  if (value === null) return [head(0xc0)];
  if (typeof value === "boolean") return [head(value ? 0xc3 : 0xc2)];
  if (typeof value === "bigint") return [integer(value)];
  if (typeof value === "number") return [float(value)];
  if (typeof value === "string") {
    const bytes = Buffer.from(value, "utf8");
    return [length(bytes.length, { inline: 0xa0, below: 32, codes: [0xd9, 0xda, 0xdb] }), bytes];
  }
  if (value instanceof Uint8Array) return [length(value.length, { codes: [0xc4, 0xc5, 0xc6] }), value];
  if (Array.isArray(value)) {
    return [length(value.length, { inline: 0x90, below: 16, codes: [0, 0xdc, 0xdd] }), ...value.flatMap(chunks)];
  }
  if (value instanceof Map) {
    const members = [...value].flatMap(([key, item]) => [...chunks(key), ...chunks(item)]);
    return [length(value.size, { inline: 0x80, below: 16, codes: [0, 0xde, 0xdf] }), ...members];
  }
  return extension(value.extension, value.bytes);
}

/** A format byte, followed by a length or number of `width` bytes. */
function head(code: number, number = 0n, width = 0): Uint8Array {
  const bytes = Buffer.alloc(1 + width, code);
  for (let i = 0; i < width; i++) bytes[width - i] = Number((number >> BigInt(8 * i)) & 0xffn);
  return bytes;
}

/** Short lengths fit into the format byte; the others follow it in 1, 2 or 4 bytes (0: there is no such form). */
function length(size: number, form: { inline?: number; below?: number; codes: [number, number, number] }): Uint8Array {
  if (size < (form.below ?? 0)) return head((form.inline ?? 0) | size);
  const [one, two, four] = form.codes;
  if (one && size <= 0xff) return head(one, BigInt(size), 1);
  return size <= 0xffff ? head(two, BigInt(size), 2) : head(four, BigInt(size), 4);
}

function integer(value: bigint): Uint8Array {
  if (value >= 0n) {
    if (value < 0x80n) return head(Number(value));
    if (value <= 0xffn) return head(0xcc, value, 1);
    if (value <= 0xffffn) return head(0xcd, value, 2);
    return value <= 0xffffffffn ? head(0xce, value, 4) : head(0xcf, value, 8);
  }
  if (value >= -32n) return head(Number(value & 0xffn));
  if (value >= -0x80n) return head(0xd0, value, 1);
  if (value >= -0x8000n) return head(0xd1, value, 2);
  return value >= -0x80000000n ? head(0xd2, value, 4) : head(0xd3, value, 8);
}

function float(value: number): Uint8Array {
  const bytes = Buffer.alloc(9, 0xcb);
  bytes.writeDoubleBE(value, 1);
  return bytes;
}

function extension(code: number, bytes: Uint8Array): Uint8Array[] {
  const fixed = [1, 2, 4, 8, 16].indexOf(bytes.length);
  const start = fixed >= 0 ? head(0xd4 + fixed) : length(bytes.length, { codes: [0xc7, 0xc8, 0xc9] });
  return [start, Uint8Array.of(code), bytes];
}

class Reader {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  get done(): boolean {
    return this.#at === this.#bytes.length;
  }

  take(length: number): Buffer {
    if (this.#at + length > this.#bytes.length) throw new Error("the value is truncated");
    this.#at += length;
    return this.#bytes.subarray(this.#at - length, this.#at);
  }

  length(width: number): number {
    return this.take(width).readUIntBE(0, width);
  }
}

function read(from: Reader): Packed {
  const code = from.length(1);
  if (code < 0x80) return BigInt(code);
  if (code < 0x90) return readMap(from, code & 0x0f);
  if (code < 0xa0) return readArray(from, code & 0x0f);
  if (code < 0xc0) return from.take(code & 0x1f).toString("utf8");
  if (code >= 0xe0) return BigInt(code - 0x100);
  const reading = formats[code];
  if (!reading) throw new Error(`format byte 0x${code.toString(16)} is not known`);
  return reading(from);
}

const formats: Record<number, (from: Reader) => Packed> = {
  192: () => null,
  194: () => false,
  195: () => true,
  196: (from) => from.take(from.length(1)),
  197: (from) => from.take(from.length(2)),
  198: (from) => from.take(from.length(4)),
  199: (from) => readExtension(from, from.length(1)),
  200: (from) => readExtension(from, from.length(2)),
  201: (from) => readExtension(from, from.length(4)),
  202: (from) => from.take(4).readFloatBE(),
  203: (from) => from.take(8).readDoubleBE(),
  204: (from) => BigInt(from.length(1)),
  205: (from) => BigInt(from.length(2)),
  206: (from) => BigInt(from.length(4)),
  207: (from) => from.take(8).readBigUInt64BE(),
  208: (from) => BigInt(from.take(1).readInt8()),
  209: (from) => BigInt(from.take(2).readInt16BE()),
  210: (from) => BigInt(from.take(4).readInt32BE()),
  211: (from) => from.take(8).readBigInt64BE(),
  212: (from) => readExtension(from, 1),
  213: (from) => readExtension(from, 2),
  214: (from) => readExtension(from, 4),
  215: (from) => readExtension(from, 8),
  216: (from) => readExtension(from, 16),
  217: (from) => from.take(from.length(1)).toString("utf8"),
  218: (from) => from.take(from.length(2)).toString("utf8"),
  219: (from) => from.take(from.length(4)).toString("utf8"),
  220: (from) => readArray(from, from.length(2)),
  221: (from) => readArray(from, from.length(4)),
  222: (from) => readMap(from, from.length(2)),
  223: (from) => readMap(from, from.length(4)),
};

function readArray(from: Reader, length: number): Packed[] {
  return Array.from({ length }, () => read(from));
}

function readMap(from: Reader, length: number): Map<Packed, Packed> {
  const map = new Map<Packed, Packed>();
  for (let i = 0; i < length; i++) map.set(read(from), read(from));
  return map;
}

function readExtension(from: Reader, length: number): Packed {
  const [extension = 0] = from.take(1);
  return { extension, bytes: from.take(length) };
}

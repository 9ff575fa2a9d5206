/**
 * The part of ASN.1's distinguished encoding (X.690) that certificates use. Every function returns a complete value.
 */

const tags = {
  boolean: 0x01,
  integer: 0x02,
  bitString: 0x03,
  octetString: 0x04,
  objectIdentifier: 0x06,
  utf8String: 0x0c,
  utcTime: 0x17,
  generalizedTime: 0x18,
  sequence: 0x30,
  set: 0x31,
  /** Numbered by the surrounding type: 0x80 for plain content, 0xa0 for complete values inside. */
  context: 0x80,
  contextConstructed: 0xa0,
} as const;

export function sequence(...values: Uint8Array[]): Buffer {
  return value(tags.sequence, ...values);
}

export function set(...values: Uint8Array[]): Buffer {
  return value(tags.set, ...values);
}

export function context(number: number, ...values: Uint8Array[]): Buffer {
  return value(tags.contextConstructed | number, ...values);
}

export function contextPlain(number: number, content: Uint8Array): Buffer {
  return value(tags.context | number, content);
}

export function boolean(truth: boolean): Buffer {
  return value(tags.boolean, Buffer.of(truth ? 0xff : 0x00));
}

/** A whole number from its big-endian magnitude: without leading zeros, except one where the sign bit would be set. */
export function integer(magnitude: Uint8Array): Buffer {
  const first = magnitude.findIndex((byte) => byte !== 0);
  const digits = first < 0 ? Buffer.of(0) : magnitude.subarray(first);
  return value(tags.integer, ...((digits[0] ?? 0) > 0x7f ? [Buffer.of(0), digits] : [digits]));
}

/** Bits in whole bytes; `unused` is the number of bits of the last byte that do not count. */
export function bitString(bytes: Uint8Array, unused = 0): Buffer {
  return value(tags.bitString, Buffer.of(unused), bytes);
}

export function octetString(bytes: Uint8Array): Buffer {
  return value(tags.octetString, bytes);
}

export function utf8String(text: string): Buffer {
  return value(tags.utf8String, Buffer.from(text, "utf8"));
}

/** An identifier in its dotted form: the first two numbers share a byte, the others take seven bits a byte. */
export function objectIdentifier(dotted: string): Buffer {
  const [root = 0, branch = 0, ...rest] = dotted.split(".").map(Number);
  return value(tags.objectIdentifier, Buffer.from([root * 40 + branch, ...rest.flatMap(base128)]));
}

/** To the second, in UTC. X.509 requires the two-digit year until 2049 and the four-digit year after that. */
export function time(date: Date): Buffer {
  const digits = `${date.toISOString().slice(0, 19).replaceAll(/[-T:]/g, "")}Z`;
  const isShort = date.getUTCFullYear() < 2050;
  return value(isShort ? tags.utcTime : tags.generalizedTime, Buffer.from(isShort ? digits.slice(2) : digits));
}

function base128(number: number): number[] {
  const septets = [number & 0x7f];
  for (let rest = number >>> 7; rest > 0; rest >>>= 7) septets.unshift((rest & 0x7f) | 0x80);
  return septets;
}

function value(tag: number, ...contents: Uint8Array[]): Buffer {
  const content = Buffer.concat(contents);
  return Buffer.concat([Buffer.of(tag, ...length(content.length)), content]);
}

function length(bytes: number): number[] {
  if (bytes < 0x80) return [bytes];
  const digits: number[] = [];
  for (let rest = bytes; rest > 0; rest >>>= 8) digits.unshift(rest & 0xff);
  return [0x80 | digits.length, ...digits];
}

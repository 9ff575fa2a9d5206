/** The part of ASN.1's distinguished encoding rules that an X.509 certificate needs. */

export function der(tag: number, ...contents: readonly Buffer[]): Buffer {
  const content = Buffer.concat(contents);
  return Buffer.concat([Buffer.from([tag]), lengthOf(content.length), content]);
}

function lengthOf(length: number): Buffer {
  if (length < 0x80) {
    return Buffer.from([length]);
  }
  const bytes = Buffer.from(length.toString(16).padStart(length > 0xff ? 4 : 2, "0"), "hex");
  return Buffer.concat([Buffer.from([0x80 | bytes.length]), bytes]);
}

export const sequence = (...contents: readonly Buffer[]) => der(0x30, ...contents);
export const set = (...contents: readonly Buffer[]) => der(0x31, ...contents);
export const octets = (content: Buffer) => der(0x04, content);
export const bits = (content: Buffer, unused = 0) => der(0x03, Buffer.from([unused]), content);
export const truth = (value: boolean) => der(0x01, Buffer.from([value ? 0xff : 0]));
export const utf8 = (text: string) => der(0x0c, Buffer.from(text, "utf8"));

/** Explicitly tagged, `[n]`. */
export const explicit = (tag: number, content: Buffer) => der(0xa0 | tag, content);
/** Implicitly tagged primitive, `[n] IMPLICIT`. */
export const implicit = (tag: number, content: Buffer) => der(0x80 | tag, content);

/** A non-negative number from its big-endian bytes. */
export function integer(bytes: Buffer): Buffer {
  const first = bytes[0] ?? 0;
  return der(0x02, first >= 0x80 ? Buffer.concat([Buffer.from([0]), bytes]) : bytes);
}

export function objectId(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split(".").map(Number);
  return der(0x06, Buffer.from([first * 40 + second, ...rest.flatMap(base128)]));
}

function base128(value: number): number[] {
  const digits = [value & 0x7f];
  for (let left = value >>> 7; left > 0; left >>>= 7) {
    digits.unshift((left & 0x7f) | 0x80);
  }
  return digits;
}

/** Dates up to 2049 in the format of certificates. */
export function time(date: Date): Buffer {
  const text = date.toISOString().replace(/[-:T]/g, "").slice(2, 14);
  return der(0x17, Buffer.from(`${text}Z`, "ascii"));
}

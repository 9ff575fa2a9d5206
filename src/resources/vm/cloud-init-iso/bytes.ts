export const sectorSize = 2048;

export const sectorsOf = (size: number): number => Math.ceil(size / sectorSize);

/** Numbers as ISO 9660 wants them: both byte orders, one after the other (ECMA-119, 7.2.3 and 7.3.3). */
export function both16(value: number): Uint8Array {
  const bytes = new DataView(new ArrayBuffer(4));
  bytes.setUint16(0, value, true);
  bytes.setUint16(2, value, false);
  return new Uint8Array(bytes.buffer);
}

export function both32(value: number): Uint8Array {
  return joined(uint32(value, "little"), uint32(value, "big"));
}

export function uint32(value: number, order: "little" | "big"): Uint8Array {
  const bytes = new DataView(new ArrayBuffer(4));
  bytes.setUint32(0, value, order === "little");
  return new Uint8Array(bytes.buffer);
}

export const latin = (text: string): Uint8Array => Uint8Array.from(text, (letter) => letter.charCodeAt(0));

/** Joliet's letters: UCS-2, the higher byte first. */
export const wide = (text: string): Uint8Array =>
  Uint8Array.from([...text].flatMap((letter) => [letter.charCodeAt(0) >> 8, letter.charCodeAt(0) & 0xff]));

export function joined(...parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/** To that length, with zeroes behind. */
export function padded(bytes: Uint8Array, length: number): Uint8Array {
  return joined(bytes, new Uint8Array(length - bytes.length));
}

import { createHmac } from "node:crypto";

const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
const digits = 6;
/** Seconds for which a code is valid, unless the authenticator app was configured otherwise. */
const usualPeriod = 30;

/** RFC 6238 with SHA-1 and 6 digits, which authenticator apps and PVE use. */
export function totpCode(secret: string, time: number, period = usualPeriod): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(time / period)));
  const digest = createHmac("sha1", decodeBase32(secret)).update(counter).digest();
  const offset = (digest.at(-1) ?? 0) & 0x0f;
  const number = (digest.readUInt32BE(offset) & 0x7fffffff) % 10 ** digits;
  return String(number).padStart(digits, "0");
}

/** The code of the current, the previous or the next period. */
export function isTotpCode(secret: string, code: string, time: number, period = usualPeriod): boolean {
  return [-1, 0, 1].some((shift) => totpCode(secret, time + shift * period, period) === code);
}

function decodeBase32(text: string): Buffer {
  let bits = "";
  for (const character of text.toUpperCase().replace(/=+$/, "")) {
    bits += alphabet.indexOf(character).toString(2).padStart(5, "0");
  }
  const bytes = bits.match(/.{8}/g) ?? [];
  return Buffer.from(bytes.map((byte) => Number.parseInt(byte, 2)));
}

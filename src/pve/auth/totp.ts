import { createHmac } from "node:crypto";
import { PveError } from "../errors.ts";

/** RFC 6238: the code that an authenticator app would show. */
export interface Totp {
  /** The code at that time, and the step it belongs to: PVE accepts a step only once. */
  at(unixMs: number): { code: string; step: number; endsInMs: number };
}

/** Reads a base32 secret, with or without blanks, or the `otpauth://totp/…` address in a QR code. */
export function createTotp(given: string): Totp {
  const url = given.startsWith("otpauth://") ? new URL(given) : undefined;
  const parameter = (name: string, otherwise: string) => url?.searchParams.get(name) ?? otherwise;
  const key = decodeBase32(parameter("secret", url === undefined ? given : ""));
  const digits = Number(parameter("digits", "6"));
  const periodMs = Number(parameter("period", "30")) * 1000;
  const algorithm = parameter("algorithm", "SHA1").toLowerCase();
  return {
    at(unixMs) {
      const step = Math.floor(unixMs / periodMs);
      return { code: hotp(key, step, digits, algorithm), step, endsInMs: (step + 1) * periodMs - unixMs };
    },
  };
}

/** RFC 4226. */
function hotp(key: Buffer, counter: number, digits: number, algorithm: string): string {
  const message = Buffer.alloc(8);
  message.writeBigUInt64BE(BigInt(counter));
  const hash = createHmac(algorithm, key).update(message).digest();
  const offset = (hash.at(-1) ?? 0) & 0xf;
  const truncated = hash.readUInt32BE(offset) & 0x7fffffff;
  return String(truncated % 10 ** digits).padStart(digits, "0");
}

function decodeBase32(text: string): Buffer {
  const letters = text.replace(/[\s=-]/g, "").toUpperCase();
  if (letters === "" || /[^A-Z2-7]/.test(letters)) {
    throw new PveError("invalid", "the TOTP secret is neither base32 nor an otpauth:// address");
  }
  const bytes: number[] = [];
  let buffer = 0;
  let bits = 0;
  for (const letter of letters) {
    buffer = (buffer << 5) | "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".indexOf(letter);
    bits += 5;
    if (bits >= 8) {
      bits -= 8;
      bytes.push((buffer >> bits) & 0xff);
    }
    buffer &= (1 << bits) - 1;
  }
  return Buffer.from(bytes);
}

import { createHash, createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { raise } from "../kernel/failure.ts";

const lifetime = 2 * 60 * 60;
const clockSkew = 300;
/** Length of the RSA signatures of PVE's tickets; clients size their fields accordingly. */
const signatureBytes = 256;

export interface VerifiedTicket {
  readonly data: string;
  /** Seconds since it was issued. */
  readonly age: number;
}

/**
 * Issues and checks tickets and CSRF tokens (pve-common `src/PVE/Ticket.pm`). Is kept on a reset, like the keys of a
 * cluster.
 */
export class TicketStore {
  #key = randomBytes(32);

  /** Replaces the keys: no ticket or token issued so far is valid any longer. */
  expireAll(): void {
    this.#key = randomBytes(32);
  }

  /** `PVE:<data>:<time>::<signature>`; `bound` is signed as well, but not part of the text. */
  issue(data: string, bound?: string): string {
    const plain = `PVE:${data.replaceAll(":", "%3A")}:${timeStamp()}`;
    return `${plain}::${this.#sign(plain, bound)}`;
  }

  verify(ticket: string, bound?: string): VerifiedTicket | undefined {
    const [, plain, signature] = /^(PVE:\S+)::([^:\s]+)$/.exec(ticket) ?? [];
    if (plain === undefined || signature === undefined || !sameText(signature, this.#sign(plain, bound))) {
      return undefined;
    }
    const [, data, stamp] = /^PVE:(?:(\S+):)?([A-Z0-9]{8})$/.exec(plain) ?? [];
    const age = stamp === undefined ? undefined : this.#validAge(stamp);
    return data === undefined || age === undefined ? undefined : { data: data.replaceAll("%3A", ":"), age };
  }

  issueCsrfToken(user: string): string {
    const stamp = timeStamp();
    return `${stamp}:${this.#hmac(`${stamp}:${user}`)}`;
  }

  /** 401 unless the token belongs to this user. */
  verifyCsrfToken(user: string, token: string): void {
    const [, stamp, digest] = /^([A-Z0-9]{8}):(\S+)$/.exec(token) ?? [];
    const valid =
      stamp !== undefined &&
      digest !== undefined &&
      sameText(digest, this.#hmac(`${stamp}:${user}`)) &&
      this.#validAge(stamp) !== undefined;
    if (!valid) {
      raise(401, "Permission denied - invalid csrf token");
    }
  }

  #validAge(stamp: string): number | undefined {
    const issued = Number.parseInt(stamp, 16);
    const age = Math.floor(Date.now() / 1000) - issued;
    return age > -clockSkew && age < lifetime ? age : undefined;
  }

  #sign(plain: string, bound: string | undefined): string {
    const full = bound === undefined ? plain : `${plain}:${bound}`;
    return createHash("shake256", { outputLength: signatureBytes }).update(this.#key).update(full).digest("base64");
  }

  #hmac(text: string): string {
    return createHmac("sha256", this.#key).update(text).digest("base64").replace(/=+$/, "");
  }
}

function timeStamp(): string {
  return Math.floor(Date.now() / 1000)
    .toString(16)
    .toUpperCase()
    .padStart(8, "0");
}

function sameText(one: string, other: string): boolean {
  const [first, second] = [Buffer.from(one), Buffer.from(other)];
  return first.length === second.length && timingSafeEqual(first, second);
}

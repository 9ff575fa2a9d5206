import { die } from "../core/kernel/failure.ts";
import type { User } from "../core/world/access.ts";
import { isTotpCode } from "./totp.ts";

/** Which kinds of second factor a login still requires; undefined if none. */
export function challengeOf(user: User): string | undefined {
  const enabled = user.tfa.filter((factor) => factor.enable);
  if (enabled.length === 0) {
    return undefined;
  }
  const recovery = enabled.find((factor) => factor.type === "recovery")?.codes ?? [];
  return JSON.stringify({
    ...(enabled.some((factor) => factor.type === "totp") ? { totp: true } : {}),
    ...(recovery.length > 0 ? { recovery: recovery.map((_, index) => index) } : {}),
  });
}

/** Checks `totp:<code>` or `recovery:<key>`; a recovery key can be used once. */
export function verifySecondFactor(user: User, response: string, now: number): void {
  const [, kind, value] = /^([^:]+):(.*)$/.exec(response) ?? [];
  const factors = user.tfa.filter((factor) => factor.enable && factor.type === kind);
  if (kind === undefined || value === undefined) {
    die("bad otp response");
  }
  if (
    kind === "totp" &&
    factors.some(({ secret, period }) => secret !== undefined && isTotpCode(secret, value, now, period))
  ) {
    return;
  }
  if (kind === "recovery") {
    const factor = factors.find(({ codes }) => codes?.includes(value));
    if (factor !== undefined) {
      factor.codes = factor.codes?.filter((code) => code !== value) ?? [];
      return;
    }
  }
  die("failed 2nd factor");
}

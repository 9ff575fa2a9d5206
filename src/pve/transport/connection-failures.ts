import { type CertificateProblem, PveError } from "../errors.ts";
import type { Call } from "./call.ts";

/** The connector's error code when the server presents a certificate other than the pinned one. */
export const pinMismatch = "ERR_PIN_MISMATCH";

/** OpenSSL's codes for a certificate from an unknown authority. */
const authorityCodes = /^(?:DEPTH_ZERO_SELF_SIGNED_CERT$|SELF_SIGNED_CERT_IN_CHAIN$|UNABLE_TO_(?:VERIFY|GET_ISSUER))/;

/** These, and Node's codes for a certificate refused for another reason: trying another host would only hide it. */
const certificateCodes = new RegExp(`${authorityCodes.source}|^(?:CERT_|ERR_TLS_CERT|ERR_PIN_|UNABLE_TO_DECRYPT)`);

const reasons: readonly (readonly [RegExp, CertificateProblem])[] = [
  [new RegExp(`^${pinMismatch}$`), "pin"],
  [/^CERT_HAS_EXPIRED$/, "expired"],
  [/^CERT_NOT_YET_VALID$/, "not_yet_valid"],
  [/^ERR_TLS_CERT_ALTNAME_INVALID$/, "host_name"],
  [authorityCodes, "authority"],
  [certificateCodes, "other"],
];

const refusals: Readonly<Record<CertificateProblem, string>> = {
  pin: "its certificate is not the one whose fingerprint is pinned",
  expired: "its certificate has expired",
  not_yet_valid: "its certificate is not valid yet",
  host_name: "its certificate is for another host name",
  authority: "its certificate is not trusted",
  other: "its certificate is not accepted",
};

const distrustOf = (code: string): CertificateProblem | undefined => reasons.find(([codes]) => codes.test(code))?.[1];

const hints: Readonly<Record<string, string>> = {
  ECONNREFUSED: "the connection was refused",
  ECONNRESET: "the connection was reset",
  EHOSTUNREACH: "the host has no route",
  ENOTFOUND: "the host name is not known",
  ETIMEDOUT: "the connection timed out",
  UND_ERR_CONNECT_TIMEOUT: "the connection timed out",
  UND_ERR_SOCKET: "the connection was lost",
};

/** A failure below HTTP. `wasSent` shows whether the request may have reached the server before it failed. */
export function connectionFailure(reason: unknown, call: Call, endpoint: string, wasSent: boolean): PveError {
  const cause = reason instanceof Error ? reason : new Error(String(reason));
  const code = "code" in cause ? String(cause.code) : "";
  const distrust = distrustOf(code);
  const said = distrust === undefined ? (hints[code] ?? cause.message) : refused(distrust, cause);
  // undici's own timers: no data for a long time.
  const kind = /^UND_ERR_(?:HEADERS|BODY)_TIMEOUT$/.test(code) ? "timeout" : "unreachable";
  return new PveError(kind, `${endpoint}: ${said}`, {
    method: call.method,
    path: call.template,
    mayHaveHappened: wasSent && !call.isRepeatable,
    ...(distrust && { distrust }),
    cause,
  });
}

/**
 * The message does not name the certificate presented instead of the pinned one: users must not take it for the fix.
 */
const refused = (distrust: CertificateProblem, { message }: Error): string =>
  distrust === "pin" ? refusals.pin : `${refusals[distrust]} (${message})`;

export const isUnknownAuthority = (error: Error): boolean =>
  authorityCodes.test((error as NodeJS.ErrnoException).code ?? "");

/** Whether the server was reached and has the wrong certificate. */
export const isCertificateFailure = (error: PveError): boolean => error.details.distrust !== undefined;

export function responseTimeout(call: Call, endpoint: string, timeoutMs: number, wasSent: boolean): PveError {
  return new PveError("timeout", `${endpoint}: no answer within ${timeoutMs / 1000} s`, {
    method: call.method,
    path: call.template,
    mayHaveHappened: wasSent && !call.isRepeatable,
  });
}

import { type Distrust, PveError } from "../errors.ts";
import type { Call } from "./call.ts";

/** What a connector fails with when the server shows another certificate than the pinned one. */
export const pinMismatch = "ERR_PIN_MISMATCH";

/** OpenSSL's names for a certificate that nobody known has signed. */
const authorityCodes = /^(?:DEPTH_ZERO_SELF_SIGNED_CERT$|SELF_SIGNED_CERT_IN_CHAIN$|UNABLE_TO_(?:VERIFY|GET_ISSUER))/;

/** These, and Node's for a certificate that was not accepted for another reason: trying elsewhere would only hide it. */
const certificateCodes = new RegExp(`${authorityCodes.source}|^(?:CERT_|ERR_TLS_CERT|ERR_PIN_|UNABLE_TO_DECRYPT)`);

const reasons: readonly (readonly [RegExp, Distrust])[] = [
  [new RegExp(`^${pinMismatch}$`), "pin"],
  [/^CERT_HAS_EXPIRED$/, "expired"],
  [/^CERT_NOT_YET_VALID$/, "not_yet_valid"],
  [/^ERR_TLS_CERT_ALTNAME_INVALID$/, "host_name"],
  [authorityCodes, "authority"],
  [certificateCodes, "other"],
];

const refusals: Readonly<Record<Distrust, string>> = {
  pin: "its certificate is not the one whose fingerprint is pinned",
  expired: "its certificate has expired",
  not_yet_valid: "its certificate is not valid yet",
  host_name: "its certificate is for another host name",
  authority: "its certificate is not trusted",
  other: "its certificate is not accepted",
};

const distrustOf = (code: string): Distrust | undefined => reasons.find(([codes]) => codes.test(code))?.[1];

const hints: Readonly<Record<string, string>> = {
  ECONNREFUSED: "the connection was refused",
  ECONNRESET: "the connection was reset",
  EHOSTUNREACH: "there is no route to the host",
  ENOTFOUND: "the host name is not known",
  ETIMEDOUT: "the connection timed out",
  UND_ERR_CONNECT_TIMEOUT: "the connection timed out",
  UND_ERR_SOCKET: "the connection broke",
};

/** A failure below HTTP. `wasSent` tells whether the request may have reached the server before it broke. */
export function connectionFailure(reason: unknown, call: Call, endpoint: string, wasSent: boolean): PveError {
  const cause = reason instanceof Error ? reason : new Error(String(reason));
  const code = "code" in cause ? String(cause.code) : "";
  const distrust = distrustOf(code);
  const said = distrust === undefined ? (hints[code] ?? cause.message) : refused(distrust, cause);
  // undici's own timers: nothing moved for a long time.
  const kind = /^UND_ERR_(?:HEADERS|BODY)_TIMEOUT$/.test(code) ? "timeout" : "unreachable";
  return new PveError(kind, `${endpoint}: ${said}`, {
    method: call.method,
    path: call.template,
    mayHaveHappened: wasSent && !call.isRepeatable,
    ...(distrust && { distrust }),
    cause,
  });
}

/** What was shown instead of the pinned certificate is not said: it must not be taken for the cure. */
const refused = (distrust: Distrust, { message }: Error): string =>
  distrust === "pin" ? refusals.pin : `${refusals[distrust]} (${message})`;

export const isUnknownAuthority = (error: Error): boolean =>
  authorityCodes.test((error as NodeJS.ErrnoException).code ?? "");

/** Whether the server was met and turned out to be the wrong one. */
export const isCertificateFailure = (error: PveError): boolean => error.details.distrust !== undefined;

export function noAnswerInTime(call: Call, endpoint: string, timeoutMs: number, wasSent: boolean): PveError {
  return new PveError("timeout", `${endpoint}: no answer within ${timeoutMs / 1000} s`, {
    method: call.method,
    path: call.template,
    mayHaveHappened: wasSent && !call.isRepeatable,
  });
}

import { PveError } from "../errors.ts";
import type { Call } from "./call.ts";

/** OpenSSL's names for a certificate that nobody known has signed. */
const authorityCodes = /^(?:DEPTH_ZERO_SELF_SIGNED_CERT$|SELF_SIGNED_CERT_IN_CHAIN$|UNABLE_TO_(?:VERIFY|GET_ISSUER))/;

/** These, and Node's for a certificate that was not accepted for another reason: trying elsewhere would only hide it. */
const certificateCodes = new RegExp(`${authorityCodes.source}|^(?:CERT_|ERR_TLS_CERT|ERR_PIN_|UNABLE_TO_DECRYPT)`);

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
  const said = certificateCodes.test(code)
    ? `its certificate is not trusted (${cause.message}); give the CA certificate or the SHA-256 fingerprint it should have`
    : (hints[code] ?? cause.message);
  // undici's own timers: nothing moved for a long time.
  const kind = /^UND_ERR_(?:HEADERS|BODY)_TIMEOUT$/.test(code) ? "timeout" : "unreachable";
  return new PveError(kind, `${endpoint}: ${said}`, {
    method: call.method,
    path: call.template,
    mayHaveHappened: wasSent && !call.isRepeatable,
    cause,
  });
}

export const isUnknownAuthority = (error: Error): boolean =>
  authorityCodes.test((error as NodeJS.ErrnoException).code ?? "");

/** Whether the server was met and turned out to be the wrong one. */
export function isCertificateFailure(error: PveError): boolean {
  const { cause } = error.details;
  return cause instanceof Error && "code" in cause && certificateCodes.test(String(cause.code));
}

export function noAnswerInTime(call: Call, endpoint: string, timeoutMs: number, wasSent: boolean): PveError {
  return new PveError("timeout", `${endpoint}: no answer within ${timeoutMs / 1000} s`, {
    method: call.method,
    path: call.template,
    mayHaveHappened: wasSent && !call.isRepeatable,
  });
}

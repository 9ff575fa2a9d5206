import { readFileSync } from "node:fs";
import type { TLSSocket } from "node:tls";
import { buildConnector } from "undici";
import { PveError } from "../errors.ts";
import { authoritiesOfThisMachine } from "./authorities.ts";
import { isUnknownAuthority, pinMismatch } from "./connection-failures.ts";

/** How the server's certificate is verified. Default: by the authorities that this machine trusts, and by its name. */
export interface TlsSettings {
  /** PEM text or the path of a PEM file: then the only trusted authority. */
  readonly caCertificate?: string | undefined;
  /** SHA-256 of the one accepted certificate, whatever its authority; takes precedence over everything else. */
  readonly fingerprint?: string | undefined;
  /** Accept any certificate. */
  readonly isInsecure?: boolean | undefined;
}

/** Opens TLS connections with these settings. PVE supports HTTP/1.1 only, and only that has a reason phrase. */
export function createConnector(settings: TlsSettings, timeoutMs: number): buildConnector.connector {
  const { caCertificate, fingerprint, isInsecure } = settings;
  const common = { allowH2: false, timeout: timeoutMs };
  // A resumed session does not present its certificate again, and a pin must be checked on every connection.
  if (fingerprint !== undefined) {
    const connect = buildConnector({ ...common, rejectUnauthorized: false, maxCachedSessions: 0 });
    return pinned(connect, normaliseFingerprint(fingerprint));
  }
  if (isInsecure) return buildConnector({ ...common, rejectUnauthorized: false });
  return caCertificate === undefined
    ? trustedHere((ca) => buildConnector({ ...common, rejectUnauthorized: true, ...(ca && { ca }) }))
    : buildConnector({ ...common, rejectUnauthorized: true, ca: readPem(caCertificate) });
}

/** By Node's authorities; by all of this machine's from the first certificate that those do not cover. */
function trustedHere(build: (authorities?: string[]) => buildConnector.connector): buildConnector.connector {
  const byNode = build();
  let byAll: buildConnector.connector | undefined;
  return (options, callback) => {
    if (byAll) return byAll(options, callback);
    byNode(options, (error, socket) => {
      if (error === null) return callback(null, socket);
      if (!isUnknownAuthority(error)) return callback(error, null);
      byAll ??= build(authoritiesOfThisMachine());
      byAll(options, callback);
    });
  };
}

function pinned(connect: buildConnector.connector, expected: string): buildConnector.connector {
  return (options, callback) =>
    connect(options, (error, socket) => {
      if (error !== null) {
        callback(error, null);
        return;
      }
      const seen = (socket as TLSSocket).getPeerCertificate().fingerprint256 ?? "";
      if (seen.replaceAll(":", "").toLowerCase() === expected) {
        callback(null, socket);
        return;
      }
      socket.destroy();
      callback(Object.assign(new Error(`${options.hostname} has another certificate`), { code: pinMismatch }), null);
    });
}

/** PEM text, or the contents of the file with that path. */
export function readPem(given: string): string {
  if (given.includes("-----BEGIN ")) {
    return given;
  }
  try {
    return readFileSync(given, "utf8");
  } catch (cause) {
    throw new PveError("invalid", `the CA certificate is neither PEM text nor a file that can be read: ${given}`, {
      cause,
    });
  }
}

export function normaliseFingerprint(given: string): string {
  const digits = given
    .replace(/^sha-?256[:/=]/i, "")
    .replace(/[:\s]/g, "")
    .toLowerCase();
  if (!/^[0-9a-f]{64}$/.test(digits)) {
    throw new PveError("invalid", "the TLS fingerprint is not a SHA-256 fingerprint: expected 32 bytes in hex");
  }
  return digits;
}

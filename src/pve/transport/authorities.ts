import * as tls from "node:tls";

/**
 * Everybody this machine trusts: what Node brings along, and what its administrator has added. Reading them takes a tenth of a
 * second, so they are read when those of Node do not suffice.
 */
export function authoritiesOfThisMachine(): string[] {
  // Node 20 can tell of its own only.
  if (typeof tls.getCACertificates !== "function") return [...tls.rootCertificates];
  return [...new Set([...tls.getCACertificates("default"), ...tls.getCACertificates("system")])];
}

/** What a certificate is told that nobody known has signed. */
export const isUnknownAuthority = (error: Error): boolean =>
  [
    "DEPTH_ZERO_SELF_SIGNED_CERT",
    "SELF_SIGNED_CERT_IN_CHAIN",
    "UNABLE_TO_GET_ISSUER_CERT",
    "UNABLE_TO_GET_ISSUER_CERT_LOCALLY",
    "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
  ].includes((error as NodeJS.ErrnoException).code ?? "");

import * as tls from "node:tls";

/**
 * All authorities that this machine trusts: Node's own, and those added by its administrator. Reading them takes a
 * tenth of a second, so it happens only when Node's own do not suffice.
 */
export function authoritiesOfThisMachine(): string[] {
  // Node 20 can list its own only.
  if (typeof tls.getCACertificates !== "function") return [...tls.rootCertificates];
  return [...new Set([...tls.getCACertificates("default"), ...tls.getCACertificates("system")])];
}

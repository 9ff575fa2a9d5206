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

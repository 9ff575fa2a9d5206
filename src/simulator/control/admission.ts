import { isIPv4 } from "node:net";
import type { Incoming } from "../core/http/connection.ts";

const isLoopback = (address: string): boolean =>
  address === "::1" || (isIPv4(address.replace(/^::ffff:/, "")) && /^(?:::ffff:)?127\./.test(address));

/** The name or address in a `Host` header, without brackets and port. */
const nameIn = (host: string): string => host.replace(/:\d+$/, "").replace(/^\[(.*)\]$/, "$1");

/**
 * Why a call of the simulator's own endpoints is refused; undefined if it is not. Any page in a browser of this machine can send
 * requests here: a name that its owner points to this machine is recognised by `Host`, another origin by `Origin` and
 * `Sec-Fetch-Site`, and a form cannot send JSON. Callers in the same process and other programs send none of these headers.
 */
export function whyRefused({ head: { method, path, headers }, peer }: Incoming): string | undefined {
  const host = headers.get("host");
  if (!isLoopback(peer)) {
    return "only for callers on this machine";
  }
  if (host !== undefined && nameIn(host) !== "localhost" && !isLoopback(nameIn(host))) {
    return `only for localhost and addresses of this machine, not for '${host}'`;
  }
  const origin = headers.get("origin");
  const site = headers.get("sec-fetch-site") ?? "none";
  const isNavigation = method === "GET" && path === "/simulator/";
  const isForeign = (origin !== undefined && origin !== `https://${host}`) || !["same-origin", "none"].includes(site);
  if (isForeign && !isNavigation) {
    return "only for pages of the simulator itself";
  }
  if (method === "POST" && !/^application\/json\s*(?:;|$)/i.test(headers.get("content-type") ?? "")) {
    return "only with 'Content-Type: application/json'";
  }
  return undefined;
}

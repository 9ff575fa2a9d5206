import { addressesOf, type Ranges } from "../addresses.ts";
import type { Rule } from "./rule.ts";

/** What happens to a packet that a rule matches. A group decides by its own rules, which are not looked at. */
type Verdict = "allow" | "refuse" | "unknown";

const verdictOf = ({ type, action }: Rule): Verdict =>
  type === "group" ? "unknown" : action === "ACCEPT" ? "allow" : "refuse";

/** Whether a packet could be allowed by one and refused by the other, so that their order matters. */
export function mayConflict(a: Rule, b: Rule): boolean {
  const [one, other] = [verdictOf(a), verdictOf(b)];
  return (one === "unknown" || other === "unknown" || one !== other) && mayOverlap(a, b);
}

/** Whether a packet could be decided in the same way by both, so that one can stand for the other. */
export function mayAgree(a: Rule, b: Rule): boolean {
  const [one, other] = [verdictOf(a), verdictOf(b)];
  return (one === "unknown" || other === "unknown" || one === other) && mayOverlap(a, b);
}

/** False only if it is certain that no packet matches both. */
function mayOverlap(a: Rule, b: Rule): boolean {
  if (a.type !== "group" && b.type !== "group" && a.type !== b.type) return false;
  if (a.type === "group" || b.type === "group") return true;
  if (a.iface !== undefined && b.iface !== undefined && a.iface !== b.iface) return false;
  if (areApart(a.source, b.source, addressesOf) || areApart(a.dest, b.dest, addressesOf)) return false;
  // A macro stands for protocols and ports of its own.
  if (a.macro !== undefined || b.macro !== undefined) return true;
  if (a.proto === undefined || b.proto === undefined) return true;
  if (a.proto !== b.proto) return !(plainProtocols.has(a.proto) && plainProtocols.has(b.proto));
  return !areApart(a.dport, b.dport, portsOf) && !areApart(a.sport, b.sport, portsOf);
}

/** Names that stand for nothing but themselves; others may be numbers or second names of a protocol. */
const plainProtocols = new Set(["tcp", "udp", "icmp", "sctp", "gre", "esp", "ah"]);

/** Whether both texts can be read and have nothing in common. */
function areApart(a: string | undefined, b: string | undefined, read: (text: string) => Ranges | null): boolean {
  const [one, other] = [a === undefined ? null : read(a), b === undefined ? null : read(b)];
  if (one === null || other === null) return false;
  return one.every(([from, to]) => other.every(([start, end]) => to < start || end < from));
}

/** Null for names of services. */
function portsOf(text: string): Ranges | null {
  const ranges = text.split(",").map((part) => /^(\d+)(?::(\d+))?$/.exec(part));
  if (ranges.some((range) => range === null)) return null;
  return ranges.map((range) => [BigInt(range?.[1] ?? 0), BigInt(range?.[2] ?? range?.[1] ?? 0)]);
}

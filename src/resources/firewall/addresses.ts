import { isIP } from "node:net";

type Range = readonly [from: bigint, to: bigint];
export type Ranges = readonly Range[];

/** Null for aliases and sets. IPv4 lies below all of IPv6. */
export function addressesOf(text: string): Ranges | null {
  const ranges = text.split(",").map(rangeOf);
  return ranges.every((range) => range !== null) ? ranges : null;
}

/** An address, a network or a range of addresses, as numbers. */
export function rangeOf(text: string): Range | null {
  const [first = "", last] = text.split("-");
  if (last !== undefined) {
    const [from, to] = [numberOf(first), numberOf(last)];
    return from === null || to === null ? null : [from, to];
  }
  const [address = "", prefix] = first.split("/");
  const start = numberOf(address);
  const bits = isIP(address) === 4 ? 32 : 128;
  if (start === null || (prefix !== undefined && !/^\d{1,3}$/.test(prefix))) return null;
  const size = 1n << BigInt(bits - Math.min(bits, Number(prefix ?? bits)));
  const base = start - (start % size);
  return [base, base + size - 1n];
}

const aboveIPv4 = 1n << 128n;

function numberOf(text: string): bigint | null {
  if (isIP(text) === 4) return text.split(".").reduce((sum, part) => sum * 256n + BigInt(part), 0n);
  return isIP(text) === 6 ? aboveIPv4 + numberOfIPv6(text) : null;
}

function numberOfIPv6(text: string): bigint {
  const plain = text.replace(/(\d+)\.(\d+)\.(\d+)\.(\d+)$/, (_, ...bytes: string[]) => {
    const [a = 0, b = 0, c = 0, d = 0] = bytes.slice(0, 4).map(Number);
    return `${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`;
  });
  const [head = "", tail] = plain.split("::");
  const groups = (part: string | undefined) => (part ? part.split(":") : []);
  const [before, after] = [groups(head), groups(tail)];
  const middle = tail === undefined ? [] : Array.from({ length: 8 - before.length - after.length }, () => "0");
  return [...before, ...middle, ...after].reduce((sum, group) => sum * 65536n + BigInt(`0x${group}`), 0n);
}

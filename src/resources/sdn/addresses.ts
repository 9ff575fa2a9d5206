import { isIP } from "node:net";

/** Why a text is not what it should be; undefined if it is. */
export const ipAddress = (text: string): string | undefined =>
  isIP(text) ? undefined : "Must be an IP address, such as `10.0.0.1`.";

/** An address of one version with the length of its prefix. */
export const addressWithPrefix =
  (version: 4 | 6) =>
  (text: string): string | undefined =>
    parseNetwork(text)?.version === version
      ? undefined
      : `Must be an IPv${version} address with the length of the prefix, such as \`${version === 4 ? "10.0.0.1/31" : "fd00::1/127"}\`.`;

export interface Address {
  readonly version: 4 | 6;
  readonly value: bigint;
}

/** Null: not an address. */
export function parseAddress(text: string): Address | null {
  const version = isIP(text);
  if (version === 4) return { version, value: text.split(".").reduce((sum, part) => sum * 256n + BigInt(part), 0n) };
  return version === 6 ? { version, value: parseIPv6(text) } : null;
}

function parseIPv6(text: string): bigint {
  const plain = text.replace(/(\d+)\.(\d+)\.(\d+)\.(\d+)$/, (_, ...parts: string[]) => {
    const [a = 0, b = 0, c = 0, d = 0] = parts.slice(0, 4).map(Number);
    return `${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`;
  });
  const [head = "", tail] = plain.split("::");
  const groups = (part: string) => (part === "" ? [] : part.split(":"));
  const missing = 8 - groups(head).length - groups(tail ?? "").length;
  const all = tail === undefined ? groups(head) : [...groups(head), ...Array(missing).fill("0"), ...groups(tail)];
  return all.reduce((sum, group) => sum * 65_536n + BigInt(`0x${group}`), 0n);
}

/** A range of addresses, the first and the last included. */
export interface Network {
  readonly version: 4 | 6;
  readonly first: bigint;
  readonly last: bigint;
  readonly prefix: number;
}

/** Null: not an address with the length of a prefix. Host bits are removed. */
export function parseNetwork(text: string): Network | null {
  const [, host = "", bits = ""] = /^([^/]+)\/(\d{1,3})$/.exec(text) ?? [];
  const address = parseAddress(host);
  const width = address?.version === 6 ? 128 : 32;
  const prefix = Number(bits);
  if (address === null || bits === "" || prefix > width) return null;
  const size = 1n << BigInt(width - prefix);
  const first = address.value - (address.value % size);
  return { version: address.version, first, last: first + size - 1n, prefix };
}

/** A network by its first address: a subnet with other bits is one address of it. */
export function networkAddress(text: string): string | undefined {
  const network = parseNetwork(text);
  const address = parseAddress(text.split("/")[0] ?? "");
  if (network === null || address === null) return "Must be a network, such as `10.0.0.0/24`.";
  return network.first === address.value
    ? undefined
    : "Must be the address of the network: the bits after the prefix are 0.";
}

export const isInside = ({ version, first, last }: Network, address: Address): boolean =>
  address.version === version && first <= address.value && address.value <= last;

export const overlap = (
  a: Pick<Network, "version" | "first" | "last">,
  b: Pick<Network, "version" | "first" | "last">,
) => a.version === b.version && a.first <= b.last && b.first <= a.last;

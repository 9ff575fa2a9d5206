import { isIPv4, isIPv6 } from "./network-formats.ts";

/** An address as a number, for comparisons and arithmetic. */
export interface IpAddress {
  readonly version: 4 | 6;
  readonly value: bigint;
}

const lengths = { 4: 32, 6: 128 } as const;

export function parseIp(text: string): IpAddress | undefined {
  if (isIPv4(text)) {
    return { version: 4, value: text.split(".").reduce((sum, part) => sum * 256n + BigInt(part), 0n) };
  }
  return isIPv6(text) ? { version: 6, value: parseGroups(text) } : undefined;
}

function parseGroups(text: string): bigint {
  const embedded = /^(.*:)(\d+(?:\.\d+){3})$/.exec(text);
  if (embedded !== null) {
    const low = parseIp(embedded[2] as string)?.value ?? 0n;
    return parseGroups(`${embedded[1]}${(low >> 16n).toString(16)}:${(low & 0xffffn).toString(16)}`);
  }
  const [front = "", back] = text.split("::");
  const groups = (part: string) => (part === "" ? [] : part.split(":"));
  const gap = back === undefined ? 0 : 8 - groups(front).length - groups(back).length;
  return [...groups(front), ...new Array<string>(gap).fill("0"), ...groups(back ?? "")].reduce(
    (sum, group) => sum * 65536n + BigInt(`0x${group}`),
    0n,
  );
}

/** The canonical text: IPv6 in lower case with the longest run of zeros omitted (RFC 5952). */
export function formatIp({ version, value }: IpAddress): string {
  if (version === 4) {
    return [24n, 16n, 8n, 0n].map((shift) => (value >> shift) & 255n).join(".");
  }
  const groups = Array.from({ length: 8 }, (_, index) => ((value >> BigInt(112 - 16 * index)) & 0xffffn).toString(16));
  const text = groups.join(":");
  const longest = [...text.matchAll(/(?<![^:])0(?::0)+(?![^:])/g)].reduce(
    (best, { 0: run, index }) => (run.length > best.run.length ? { run, index } : best),
    { run: "", index: 0 },
  );
  if (longest.run === "") {
    return text;
  }
  const before = text.slice(0, longest.index).replace(/:$/, "");
  return `${before}::${text.slice(longest.index + longest.run.length).replace(/^:/, "")}`;
}

export interface Network {
  readonly version: 4 | 6;
  /** The address of the network, without host bits. */
  readonly first: bigint;
  readonly last: bigint;
  readonly prefix: number;
}

/** A network in CIDR notation; host bits are cleared. */
export function parseNetwork(cidr: string): Network | undefined {
  const [text = "", bits] = cidr.split("/");
  const address = parseIp(text);
  if (address === undefined) {
    return undefined;
  }
  const prefix = bits === undefined ? lengths[address.version] : Number(bits);
  if (!/^\d*$/.test(bits ?? "") || prefix > lengths[address.version]) {
    return undefined;
  }
  const size = 1n << BigInt(lengths[address.version] - prefix);
  const first = address.value - (address.value % size);
  return { version: address.version, first, last: first + size - 1n, prefix };
}

export function formatNetwork({ version, first, prefix }: Network): string {
  return `${formatIp({ version, value: first })}/${prefix}`;
}

export function isInNetwork(network: Network | undefined, address: IpAddress | undefined): boolean {
  return (
    network !== undefined &&
    address !== undefined &&
    network.version === address.version &&
    address.value >= network.first &&
    address.value <= network.last
  );
}

/** Algorithms PVE knows, by the number of hexadecimal digits of their sums, which no two share. */
const algorithms: Readonly<Record<number, string>> = {
  32: "md5",
  40: "sha1",
  56: "sha224",
  64: "sha256",
  96: "sha384",
  128: "sha512",
};

export interface Checksum {
  readonly algorithm: string;
  /** Lower-case hexadecimal digits. */
  readonly value: string;
}

/** Reads `sha256:1f2e…`, or the digits alone: their number determines the algorithm. Null if it is neither. */
export function parseChecksum(text: string): Checksum | null {
  const [, named, value = ""] = /^(?:(\w+):)?([0-9a-f]+)$/i.exec(text.trim()) ?? [];
  const algorithm = algorithms[value.length];
  if (algorithm === undefined || (named !== undefined && named.toLowerCase() !== algorithm)) return null;
  return { algorithm, value: value.toLowerCase() };
}

export const checksumHint =
  'Must be the hexadecimal digits of an MD5, SHA-1, SHA-224, SHA-256, SHA-384 or SHA-512 sum, with or without its name before them, such as "sha256:1f2e…".';

export function isSameChecksum(a: string, b: string): boolean {
  const [one, other] = [parseChecksum(a), parseChecksum(b)];
  return one !== null && one.algorithm === other?.algorithm && one.value === other.value;
}

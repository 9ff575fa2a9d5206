const units = { K: 1024, M: 1024 ** 2, G: 1024 ** 3, T: 1024 ** 4 } as const;

/** PVE::JSONSchema::parse_size: `32G`, `1.5T`, `512` (bytes) in bytes; undefined for any other text. */
export function parseSize(text: string): number | undefined {
  const [, amount, unit] = /^(\d+(?:\.\d+)?)(?:([KMGT])(?:iB)?)?\n?$/.exec(text) ?? [];
  if (amount === undefined) {
    return undefined;
  }
  return Math.trunc(Number(amount) * (unit === undefined ? 1 : units[unit as keyof typeof units]));
}

/** PVE::JSONSchema::format_size: in the largest unit that divides evenly. */
export function formatSize(bytes: number): string {
  const suffixes = ["", "K", "M", "G", "T"];
  let size = Math.trunc(bytes);
  let step = 0;
  while (step < suffixes.length - 1 && size % 1024 === 0) {
    size /= 1024;
    step++;
  }
  return `${size}${suffixes[step]}`;
}

import { PveError } from "./errors.ts";

const unitBytes: Readonly<Record<string, number>> = { "": 1, K: 1024, M: 1024 ** 2, G: 1024 ** 3, T: 1024 ** 4 };

/** `32G`, `4M`, `1.5T`, bytes without a unit → bytes (pve-common: src/PVE/JSONSchema.pm, `parse_size`). */
export function parseSize(text: string): number {
  const match = /^(\d+(?:\.\d+)?)([KMGT]?)$/.exec(text);
  const [, amount, unit = ""] = match ?? [];
  if (amount === undefined) {
    throw new PveError("malformed", `"${text}" is not a size: expected a number and K, M, G or T`);
  }
  return Math.trunc(Number(amount) * (unitBytes[unit] ?? 1));
}

/** Bytes in the largest unit that divides them evenly, as PVE prints them (`format_size` in the same file). */
export function printSize(bytes: number): string {
  for (const unit of ["T", "G", "M", "K"]) {
    const size = unitBytes[unit] ?? 1;
    if (bytes > 0 && bytes % size === 0) {
      return `${bytes / size}${unit}`;
    }
  }
  return String(bytes);
}

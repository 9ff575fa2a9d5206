import { string } from "#framework";

const units: Readonly<Record<string, number>> = { "": 1, K: 2 ** 10, M: 2 ** 20, G: 2 ** 30, T: 2 ** 40 };

/** Bytes of a size as people write it (`"512M"`, `"1.5T"`, `"0"`), or null if it is none. */
export function bytesOf(text: string): number | null {
  const [, amount, unit = ""] = /^(\d+(?:\.\d+)?)([KMGT]?)$/.exec(text) ?? [];
  const bytes = amount === undefined ? Number.NaN : Number(amount) * (units[unit] ?? 1);
  return Number.isSafeInteger(bytes) ? bytes : null;
}

/** Bytes in the largest unit that divides them evenly, which is also how PVE prints sizes. */
export function sizeOf(bytes: number): string {
  const unit = ["T", "G", "M", "K"].find((name) => bytes > 0 && bytes % (units[name] ?? 1) === 0) ?? "";
  return `${bytes / (units[unit] ?? 1)}${unit}`;
}

/** A size such as `"8G"`. Two spellings of one size (`"8G"`, `"8192M"`) are one size. */
export function size(options: { readonly multipleOf: "M" | "K"; readonly min?: string }) {
  const step = units[options.multipleOf] ?? 1;
  const least = bytesOf(options.min ?? "0") ?? 0;
  return string({
    check(text) {
      const bytes = bytesOf(text);
      if (bytes === null) return "Must be a size such as `512M`, `32G` or `1.5T`.";
      if (bytes % step !== 0) return `Must be a whole number of ${options.multipleOf === "M" ? "mebi" : "kibi"}bytes.`;
      return bytes < least ? `Must be at least ${options.min}.` : undefined;
    },
    same: (a, b) => bytesOf(a) === bytesOf(b),
  });
}

/** PVE counts memory in MiB, without a unit. */
export const mebibytes = {
  parse: (raw: unknown) => sizeOf(Number(raw) * 2 ** 20),
  print: (value: unknown) => (bytesOf(String(value)) ?? 0) / 2 ** 20,
};

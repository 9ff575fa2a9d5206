import { string } from "#framework";

const units: Readonly<Record<string, number>> = { "": 1, K: 2 ** 10, M: 2 ** 20, G: 2 ** 30, T: 2 ** 40 };

/** Bytes of a size as people write it (`"512M"`, `"1.5T"`, `"0"`), or null if it is none. */
export function bytesOf(text: string): number | null {
  const [, amount, unit = ""] = /^(\d+(?:\.\d+)?)([KMGT]?)$/.exec(text) ?? [];
  const bytes = amount === undefined ? Number.NaN : Number(amount) * (units[unit] ?? 1);
  return Number.isSafeInteger(bytes) ? bytes : null;
}

/** What is wrong with a text that is no size, and how to write the size that was meant. */
export function faultOfSize(text: string): string {
  const [, amount, unit = ""] = /^(\d+(?:\.\d+)?)\s*([kmgt]?)(?:i?b)?$/i.exec(text.trim()) ?? [];
  if (amount === undefined)
    return "Must be a number and one of the units K, M, G and T, such as `512M`, `32G` or `1.5T`.";
  const meant = `${amount}${unit.toUpperCase()}`;
  if (meant !== text && bytesOf(meant) !== null) {
    return `The units are K, M, G and T, each 1024 times the one before. Write \`${meant}\`.`;
  }
  const bytes = Number(amount) * (units[unit.toUpperCase()] ?? 1);
  // Beyond that, numbers of JavaScript do not count every byte.
  if (bytes > Number.MAX_SAFE_INTEGER) return "That is too large: must be less than `8192T`.";
  return `That is not a whole number of bytes. Write it in a smaller unit, such as \`${roundedUp(bytes)}\`.`;
}

/** The next larger size that is a whole number of the largest unit there is one of. */
function roundedUp(bytes: number): string {
  const unit = ["T", "G", "M", "K"].find((name) => bytes >= (units[name] ?? 1)) ?? "";
  return `${Math.ceil(bytes / (units[unit] ?? 1))}${unit}`;
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
      if (bytes === null) return faultOfSize(text);
      const hasUnit = /[KMGT]$/.test(text) || bytes === 0;
      // PVE counts memory in MiB and shows disks in GiB: that is what a bare number most often means.
      const withUnit = `${text}${options.multipleOf === "M" ? "M" : "G"}`;
      if ((bytes % step !== 0 || bytes < least) && !hasUnit) {
        return `Without a unit it counts bytes. The units are K, M, G and T: write \`${withUnit}\`.`;
      }
      if (bytes % step !== 0) {
        const unit = options.multipleOf === "M" ? "mebibytes (M)" : "kibibytes (K)";
        return `Must be a whole number of ${unit}, such as \`${roundedUp(Math.ceil(bytes / step) * step)}\`.`;
      }
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

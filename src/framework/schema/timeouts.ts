import { nested, string } from "./types.ts";

export type TimedOperation = "create" | "read" | "update" | "delete";

export type TimeoutDefaults = { readonly [operation in TimedOperation]?: string };

const nouns = { create: "creation", read: "a refresh", update: "an update", delete: "deletion" } as const;

/**
 * The `timeouts` attribute: lets users limit how long each of the given operations may take; the values given here are
 * the defaults. The hook's signal is aborted at the deadline.
 *
 *     attributes: { …, timeouts: timeouts({ create: "20m", delete: "5m" }) }
 */
export function timeouts<const D extends TimeoutDefaults>(defaults: D) {
  const names = Object.keys(defaults) as (keyof D & TimedOperation)[];
  const attributes = Object.fromEntries(names.map((name) => [name, limit(name, defaults[name])])) as {
    readonly [K in keyof D & TimedOperation]: ReturnType<typeof limit>;
  };
  return {
    type: nested(attributes),
    mode: "optional",
    local: true,
    doc: "How long operations may take before they are given up.",
    timeouts: defaults,
  } as const;
}

const limit = (operation: TimedOperation, byDefault = "none") =>
  ({
    type: string({ check: (text) => (parseDuration(text) === null ? durationHint : undefined) }),
    mode: "optional",
    doc: `How long ${nouns[operation]} may take, such as \`30s\`, \`5m\` or \`1h30m\`. Default: \`${byDefault}\`.`,
  }) as const;

const durationHint = "Must be a duration such as `30s`, `5m` or `1h30m`.";

const units: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 };

/** Milliseconds of a duration in Go's format (`"1h30m"`), or null if it is not one. */
export function parseDuration(text: string): number | null {
  if (!/^(\d+(\.\d+)?(ms|s|m|h))+$/.test(text)) return null;
  const parts = [...text.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h)/g)];
  return parts.reduce((sum, [, amount, unit]) => sum + Number(amount) * (units[unit ?? ""] ?? 0), 0);
}

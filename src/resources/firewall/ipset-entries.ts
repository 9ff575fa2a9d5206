import { bool, isPveError, nested, type Report } from "#kit";
import type { FirewallSetCalls, FirewallSetEntry } from "#pve";
import { rangeOf } from "./addresses.ts";
import { faultOfNetwork, namedAddress } from "./formats.ts";
import { comment } from "./rule-attributes.ts";

export const entry = nested(
  {
    comment: { type: comment, mode: "optional", doc: "A comment." },
    nomatch: {
      type: bool(),
      mode: "optional",
      doc: "Whether the address is left out of the set. Left out: it is in the set.",
    },
  },
  { mayBeEmpty: true },
);

export interface EntryValues {
  readonly comment: string | null;
  readonly nomatch: boolean | null;
}

type Entries = Readonly<Record<string, EntryValues>>;

/** The same for every spelling of a network: PVE drops host bits and the prefix of a single address. */
export function entryKey(text: string): string {
  const range = rangeOf(text);
  return range === null ? text.toLowerCase() : range.join("-");
}

/** The entries by the spelling that is expected, where one is. */
export function observeEntries(shown: readonly FirewallSetEntry[], expected: Entries | null): Entries {
  const spellings = new Map(Object.keys(expected ?? {}).map((text) => [entryKey(text), text]));
  return Object.fromEntries(
    shown.map(({ cidr, comment, nomatch }) => {
      const text = spellings.get(entryKey(cidr)) ?? cidr;
      const isWritten = expected?.[text]?.nomatch === false;
      return [text, { comment: comment || null, nomatch: nomatch || (isWritten ? false : null) }];
    }),
  );
}

/** How often a change of entries begins anew because another client wrote, or an answer was lost. */
const attempts = 5;

/**
 * Makes the entries what is desired: one call for each that differs, and the set stays in use. The most specific entry that
 * matches an address decides, so new entries come from the most specific to the least, and then others go the other way
 * round: at every moment an address is treated as by the old entries or as by the new ones.
 */
export async function editEntries(
  calls: FirewallSetCalls,
  name: string,
  desired: Entries,
  signal: AbortSignal,
): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await writeDifferences(calls, name, desired, signal);
      return;
    } catch (reason) {
      const isOther = isPveError(reason, "exists") || isPveError(reason, "not_found");
      const isLost = isPveError(reason) && reason.mayHaveHappened;
      if ((!isOther && !isLost) || attempt >= attempts) throw reason;
    }
  }
}

async function writeDifferences(
  calls: FirewallSetCalls,
  name: string,
  desired: Entries,
  signal: AbortSignal,
): Promise<void> {
  const now = new Map((await calls.listEntries(name, { signal })).map((entry) => [entryKey(entry.cidr), entry]));
  const wanted = new Map(Object.entries(desired).map(([cidr, values]) => [entryKey(cidr), { cidr, ...values }]));
  const bySize = [...wanted].sort(([, a], [, b]) => compareSizes(a.cidr, b.cidr));
  for (const [key, { cidr, comment, nomatch }] of bySize) {
    const found = now.get(key);
    const change = { ...(comment !== null && { comment }), ...(nomatch && { nomatch }) };
    if (found === undefined) await calls.addEntry(name, { cidr, ...change }, { signal });
    else if ((found.comment || null) !== comment || (found.nomatch ?? false) !== (nomatch ?? false)) {
      await calls.updateEntry(name, { cidr: found.cidr, ...change }, { signal });
    }
  }
  const leaving = [...now].filter(([key]) => !wanted.has(key)).sort(([, a], [, b]) => compareSizes(b.cidr, a.cidr));
  for (const [, { cidr }] of leaving) await calls.removeEntry(name, cidr, { signal });
}

/** Aliases count as single addresses. */
function compareSizes(a: string, b: string): number {
  const [one, other] = [sizeOf(a), sizeOf(b)];
  return one < other ? -1 : Number(one > other);
}

function sizeOf(text: string): bigint {
  const range = rangeOf(text);
  return range === null ? 0n : range[1] - range[0];
}

/** What PVE would refuse in entries, or take for another one. */
export function checkEntries(
  texts: readonly string[],
  report: Pick<Report, "error">,
  path: readonly string[] = ["entries"],
): void {
  const seen = new Map<string, string>();
  for (const text of texts) {
    const refuse = (detail: string) => report.error([...path, text], "Invalid entry", `\`${text}\`: ${detail}`);
    const isNetwork = faultOfNetwork(text) === undefined;
    const twin = seen.get(entryKey(text));
    if (!isNetwork && namedAddress(text)?.kind !== "alias") {
      refuse('an entry is an IP address, a network such as "10.0.0.0/24", or an alias such as "dc/office".');
    } else if (isNetwork && /\/0+$/.test(text)) {
      refuse('Proxmox VE refuses a prefix of 0. Write both halves: "0.0.0.0/1" and "128.0.0.0/1".');
    } else if (twin !== undefined) {
      refuse(`it is the same as \`${twin}\`: Proxmox VE drops host bits. Remove one of them.`);
    }
    seen.set(entryKey(text), text);
  }
}

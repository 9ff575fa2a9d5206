import { isPveError, type Session } from "#kit";
import type { FirewallPlace } from "#pve";
import { type EntryValues, editEntries, entryKey, observeEntries } from "./ipset-entries.ts";
import { planName } from "./planned-names.ts";
import type { Scope } from "./scope.ts";

export interface AliasValues {
  readonly cidr: string;
  readonly comment: string | null;
}

export interface SetValues {
  readonly comment: string | null;
  readonly entries: Readonly<Record<string, EntryValues>> | null;
}

type ByName<T> = Readonly<Record<string, T>>;

/** Nodes and vnets have neither aliases nor sets. */
export const hasNames = ({ kind }: Pick<Scope, "kind">): boolean => kind === "cluster" || kind === "guest";

/** Writes that are repeated when another client wrote, or an answer was lost: each looks at what is there. */
async function untilDone(work: () => Promise<void>, attempts = 5): Promise<void> {
  try {
    await work();
  } catch (reason) {
    const isOther = isPveError(reason, "exists") || isPveError(reason, "not_found");
    const isLost = isPveError(reason) && reason.mayHaveHappened;
    if ((!isOther && !isLost) || attempts <= 1) throw reason;
    await untilDone(work, attempts - 1);
  }
}

export async function readAliases(
  api: Session,
  place: FirewallPlace,
  expected: ByName<AliasValues> | null,
): Promise<Record<string, AliasValues>> {
  const listed = await api.firewall.aliases(place).list();
  const spelled = new Map(Object.keys(expected ?? {}).map((name) => [name.toLowerCase(), name]));
  return Object.fromEntries(
    listed.map(({ name, cidr, comment }) => {
      const key = spelled.get(name.toLowerCase()) ?? name;
      const before = expected?.[key]?.cidr;
      const isSame = before !== undefined && entryKey(before) === entryKey(cidr);
      return [key, { cidr: isSame ? before : cidr, comment: comment || null }];
    }),
  );
}

/** New and changed aliases; those that go are removed once no rule names them. */
export const writeAliases = (
  api: Session,
  place: FirewallPlace,
  desired: ByName<AliasValues>,
  signal: AbortSignal,
): Promise<void> =>
  untilDone(async () => {
    const calls = api.firewall.aliases(place);
    const now = await readAliases(api, place, desired);
    for (const [name, { cidr, comment }] of Object.entries(desired)) {
      const change = { cidr, ...(comment !== null && { comment }) };
      const found = now[name];
      if (found === undefined) await calls.create({ name, ...change }, { signal });
      else if (found.cidr !== cidr || found.comment !== comment) await calls.update(name, change, { signal });
    }
  });

export async function readSets(
  api: Session,
  place: FirewallPlace,
  expected: ByName<SetValues> | null,
): Promise<Record<string, SetValues>> {
  const calls = api.firewall.sets(place);
  const sets = (await calls.list()).map(async ({ name, comment }) => {
    const before = expected?.[name]?.entries ?? null;
    const entries = observeEntries(await calls.listEntries(name), before);
    const isNone = before === null && Object.keys(entries).length === 0;
    return [name, { comment: comment || null, entries: isNone ? null : entries }] as const;
  });
  return Object.fromEntries(await Promise.all(sets));
}

export const writeSets = (
  api: Session,
  place: FirewallPlace,
  desired: ByName<SetValues>,
  signal: AbortSignal,
): Promise<void> =>
  untilDone(async () => {
    const calls = api.firewall.sets(place);
    const now = new Map((await calls.list({ signal })).map(({ name, comment }) => [name, comment || null]));
    for (const [name, { comment, entries }] of Object.entries(desired)) {
      if (!now.has(name)) await calls.create(name, comment, { signal });
      else if (now.get(name) !== comment) await calls.rename(name, name, comment ?? "", { signal });
      await editEntries(calls, name, entries ?? {}, signal);
    }
  });

/** What no rule names any more. Sets go first: they may name aliases. */
export async function removeOthers(
  api: Session,
  place: FirewallPlace,
  { ipsets, aliases }: { readonly ipsets: ByName<unknown>; readonly aliases: ByName<unknown> },
  signal: AbortSignal,
): Promise<void> {
  const [sets, names] = [api.firewall.sets(place), api.firewall.aliases(place)];
  const kept = new Set(Object.keys(aliases).map((name) => name.toLowerCase()));
  for (const { name } of await sets.list({ signal })) if (!ipsets[name]) await sets.remove(name, { signal });
  for (const { name } of await names.list({ signal })) {
    if (!kept.has(name.toLowerCase())) await names.remove(name, { signal });
  }
}

/** Aliases and sets as they are before and after. */
interface Names {
  readonly aliases?: Readonly<Record<string, { readonly cidr?: string | undefined } | undefined>> | null | undefined;
  readonly ipsets?:
    | Readonly<Record<string, { readonly entries?: object | null | undefined } | undefined>>
    | null
    | undefined;
}

/** What the lock-out check has to know of names that rules, or PVE itself, refer to. */
export function planNamesOf(api: Session, before: Names | null, after: Names): void {
  for (const name of Object.keys({ ...before?.aliases, ...after.aliases })) {
    const alias = after.aliases?.[name];
    planName.alias(api, name, after.aliases === undefined ? undefined : alias ? alias.cidr : null);
  }
  for (const name of Object.keys({ ...before?.ipsets, ...after.ipsets })) {
    const set = after.ipsets?.[name];
    const entries = set && (set.entries === null ? {} : set.entries);
    planName.set(api, name, after.ipsets === undefined ? undefined : set ? (entries as Record<string, unknown>) : null);
  }
}

import { isPveError, oncePerRun, oncePerRunFor, type Session } from "#kit";
import type { Rule } from "./list/rule.ts";
import { isKnown, unknownRules } from "./planned-firewalls.ts";
import { parseRule, type RuleValues, toRule } from "./rule-values.ts";
import { clusterScope, requirePlace } from "./scope.ts";

/** An entry of a set. */
export interface Entry {
  readonly cidr: string;
  readonly nomatch?: unknown;
}

/** What a name stands for. `gone`: this plan removes it. `unknown`: that is not known yet. `missing`: nothing has that name. */
export type Meaning<T> = { readonly is: T } | "gone" | "unknown" | "missing";

interface Names {
  readonly aliases: Map<string, Meaning<string>>;
  readonly sets: Map<string, Meaning<readonly Entry[]>>;
  readonly groups: Map<string, readonly Rule[]>;
}

const plannedIn = (api: Session): Names =>
  api.store.keep("planned names of the cluster's firewall", () => ({
    aliases: new Map(),
    sets: new Map(),
    groups: new Map(),
  }));

/** What the plan makes of names of the cluster's firewall. Null removes one, undefined is not known yet. */
export const planName = {
  alias: (api: Session, name: string, cidr: string | null | undefined): void =>
    void plannedIn(api).aliases.set(name.toLowerCase(), meaningOf(cidr)),

  set(api: Session, name: string, entries: Readonly<Record<string, unknown>> | null | undefined): void {
    const listed = isKnown(entries)
      ? entries && Object.entries(entries).map(([cidr, entry]) => ({ cidr, ...(entry as object) }))
      : undefined;
    plannedIn(api).sets.set(name, meaningOf(listed));
  },

  /** A rule that names a group that is gone matches nothing. */
  group(api: Session, name: string, rules: unknown): void {
    const known = isKnown(rules) ? ((rules ?? []) as readonly RuleValues[]).map(toRule) : unknownRules;
    plannedIn(api).groups.set(name, known);
  },
};

function meaningOf<T>(value: T | null | undefined): Meaning<T> {
  if (value === undefined) return "unknown";
  return value === null ? "gone" : { is: value };
}

export async function aliasAfter(api: Session, name: string): Promise<Meaning<string>> {
  const planned = plannedIn(api).aliases.get(name.toLowerCase());
  if (planned !== undefined) return planned;
  const cidr = (await aliases(api)).get(name.toLowerCase());
  return cidr === undefined ? "missing" : { is: cidr };
}

export async function setAfter(api: Session, name: string): Promise<Meaning<readonly Entry[]>> {
  const planned = plannedIn(api).sets.get(name);
  if (planned !== undefined) return planned;
  const entries = await setEntries(api, name);
  return entries === null ? "missing" : { is: entries };
}

/** Null: there is none, as far as is known. */
export const groupAfter = async (api: Session, name: string): Promise<readonly Rule[] | null> =>
  plannedIn(api).groups.get(name) ?? (await groupRules(api, name));

const orMissing = async <T>(look: () => Promise<T>): Promise<T | null> => {
  try {
    return await look();
  } catch (reason) {
    if (isPveError(reason, "not_found")) return null;
    throw reason;
  }
};

const groupRules = oncePerRunFor((api: Session, name: string) =>
  orMissing(async () => (await api.firewall.groups.rules(name).list()).map(parseRule)),
);

const aliases = oncePerRun(async (api) => {
  const listed = await api.firewall.aliases(await requirePlace(api, clusterScope)).list();
  return new Map(listed.map(({ name, cidr }) => [name.toLowerCase(), cidr]));
});

const setEntries = oncePerRunFor(async (api: Session, name: string) => {
  const place = await requirePlace(api, clusterScope);
  return orMissing(() => api.firewall.sets(place).listEntries(name));
});

/** What a rule matches, by PVE's names; what is left out matches everything. */
export const matchOptions = ["iface", "source", "dest", "proto", "dport", "sport", "icmp-type", "macro"] as const;

/** One rule as PVE keeps it, by PVE's names. Rules of type `group` have the name of the group as their action. */
export type Rule = {
  readonly type: string;
  readonly action: string;
  readonly isEnabled: boolean;
  readonly comment?: string;
  readonly log?: string;
} & { readonly [K in (typeof matchOptions)[number]]?: string };

/** Two rules with the same key decide the same packets in the same way. */
export const keyOf = (rule: Rule): string =>
  JSON.stringify([rule.type, rule.action, ...matchOptions.map((name) => spellingOf(rule, name))]);

/** PVE spells the names of macros as it defines them. */
const spellingOf = (rule: Rule, name: (typeof matchOptions)[number]): string =>
  name === "macro" ? (rule.macro ?? "").toLowerCase() : (rule[name] ?? "");

export const isSameRule = (a: Rule, b: Rule): boolean =>
  keyOf(a) === keyOf(b) && a.isEnabled === b.isEnabled && a.comment === b.comment && a.log === b.log;

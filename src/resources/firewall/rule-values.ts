import type { FirewallRule } from "#pve";
import { isSameRule, matchOptions, type Rule } from "./list/rule.ts";

/** A rule as configurations write it. */
export interface RuleValues {
  readonly type: "in" | "out" | "forward" | null;
  readonly action: "ACCEPT" | "DROP" | "REJECT" | null;
  readonly security_group?: string | null;
  readonly enabled: boolean | null;
  readonly macro: string | null;
  readonly source: string | null;
  readonly dest: string | null;
  readonly proto: string | null;
  readonly dport: string | null;
  readonly sport: string | null;
  readonly icmp_type: string | null;
  readonly iface?: string | null;
  readonly log: string | null;
  readonly comment: string | null;
}

const attributeOf = (option: (typeof matchOptions)[number]) => (option === "icmp-type" ? "icmp_type" : option);

const texts = [...matchOptions, "comment", "log"] as const;

export function toRule(values: RuleValues): Rule {
  const { security_group: group = null, type, action, enabled } = values;
  const given = texts.flatMap((option) => {
    const value = values[option === "icmp-type" ? attributeOf(option) : option];
    return value === null || value === undefined ? [] : [[option, value]];
  });
  return {
    ...Object.fromEntries(given),
    type: group === null ? (type ?? "") : "group",
    action: group ?? action ?? "",
    isEnabled: enabled ?? true,
  };
}

/** A rule that PVE shows. */
export function parseRule(shown: FirewallRule): Rule {
  const given = texts.flatMap((option) => {
    const value = shown[option];
    return value === undefined || value === null || value === "" ? [] : [[option, String(value)]];
  });
  return { ...Object.fromEntries(given), type: shown.type, action: shown.action, isEnabled: (shown.enable ?? 0) > 0 };
}

function toValues(rule: Rule): RuleValues {
  const isGroup = rule.type === "group";
  const given = texts.map((option) => [option === "icmp-type" ? "icmp_type" : option, rule[option] ?? null]);
  return {
    ...(Object.fromEntries(given) as Record<string, never>),
    type: isGroup ? null : (rule.type as RuleValues["type"]),
    action: isGroup ? null : (rule.action as RuleValues["action"]),
    security_group: isGroup ? rule.action : null,
    enabled: rule.isEnabled ? null : false,
  } as unknown as RuleValues;
}

/** The rules as configurations write them; those that are expected keep the words in which they are. */
export function observeRules(
  shown: readonly Rule[],
  expected: readonly RuleValues[],
  owner: "firewall" | "group" = "firewall",
): RuleValues[] {
  const known = expected.map((values) => ({ values, rule: toRule(values) }));
  return shown.map((rule) => {
    const index = known.findIndex((one) => isSameRule(one.rule, rule));
    const [found] = index < 0 ? [] : known.splice(index, 1);
    if (found) return found.values;
    const { security_group, iface, ...values } = toValues(rule);
    return owner === "group" ? values : { ...values, security_group: security_group ?? null, iface: iface ?? null };
  });
}

/** The parameters that make one rule another; of nothing, all of them. */
export function parametersOf(rule: Rule, now: Rule | null): Record<string, string | number | string[]> {
  const set = [...(["type", "action"] as const), ...texts].filter((option) => rule[option] !== undefined);
  const changed = set.filter((option) => now === null || rule[option] !== now[option]);
  const unset = now === null ? [] : texts.filter((option) => now[option] !== undefined && rule[option] === undefined);
  return {
    ...Object.fromEntries(changed.map((option) => [option, rule[option] ?? ""])),
    ...((now === null || rule.isEnabled !== now.isEnabled) && { enable: Number(rule.isEnabled) }),
    ...(unset.length > 0 && { delete: unset }),
  };
}

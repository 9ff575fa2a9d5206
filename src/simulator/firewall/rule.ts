import { paramError } from "../core/kernel/failure.ts";
import { splitList } from "../core/schema/format.ts";
import { interfaceFormat } from "../core/schema/formats.ts";
import { integer, string } from "../core/schema/schema.ts";
import { digest } from "../core/schema/standard-options.ts";
import type { FirewallRule } from "../core/world/firewall.ts";
import {
  addressSpecFormat,
  destinationPortFormat,
  icmpTypeFormat,
  protocolFormat,
  sourcePortFormat,
} from "./formats.ts";
import { checkRule, type Reach } from "./rule-checks.ts";
import type { Environment } from "./scopes.ts";

export const logLevels = ["emerg", "alert", "crit", "err", "warning", "notice", "info", "debug", "nolog"] as const;

/** pve-firewall `src/PVE/Firewall.pm`, `$rule_properties`. */
export const ruleOptions = {
  comment: string({ optional: true }),
  dest: string({ optional: true, format: addressSpecFormat, maxLength: 512 }),
  digest,
  dport: string({ optional: true, format: destinationPortFormat }),
  enable: integer({ optional: true, minimum: 0 }),
  "icmp-type": string({ optional: true, format: icmpTypeFormat }),
  iface: string({ optional: true, format: interfaceFormat, minLength: 2, maxLength: 20 }),
  log: string({ optional: true, enum: logLevels }),
  macro: string({ optional: true, maxLength: 128 }),
  pos: integer({ optional: true, minimum: 0 }),
  proto: string({ optional: true, format: protocolFormat }),
  source: string({ optional: true, format: addressSpecFormat, maxLength: 512 }),
  sport: string({ optional: true, format: sourcePortFormat }),
};

export const ruleAction = string({ pattern: "[A-Za-z][A-Za-z0-9\\-\\_]+", minLength: 2, maxLength: 20 });
export const ruleType = string({ enum: ["in", "out", "forward", "group"] });

const properties = ["type", "action", ...Object.keys(ruleOptions)];
const storedOptions = properties.filter((name) => name !== "digest" && name !== "pos");

/** `copy_rule_data`: an empty value or `-` removes an option. */
export function applyRule(rule: FirewallRule, given: Readonly<Record<string, string>>): FirewallRule {
  const next = { ...rule };
  for (const name of storedOptions) {
    const value = given[name];
    if (value === "" || value === "-") {
      delete next[name];
    } else if (value !== undefined) {
      next[name] = value;
    }
  }
  return next;
}

/** `delete_rule_properties`. */
export function deleteFromRule(rule: FirewallRule, list: string | undefined): void {
  for (const name of splitList(list ?? "")) {
    if (!properties.includes(name)) {
      paramError({ delete: `no such property ('${name}')` });
    }
    if (name === "type" || name === "action") {
      paramError({ delete: `unable to delete required property '${name}'` });
    }
    delete rule[name];
  }
}

/** Refuses a rule with its first error. */
export function verifyRule(rule: FirewallRule, environment: Environment, reach: Reach): void {
  checkRule(rule, environment, reach, (param, text) => paramError({ [param]: text }));
}

/** A rule as it is read back, with its errors; undefined for one that PVE can no longer read. */
export function describeRule(
  stored: FirewallRule,
  environment: Environment,
  reach: Reach,
): Record<string, unknown> | undefined {
  const rule = { ...stored };
  const errors: Record<string, string> = {};
  try {
    const ipversion = checkRule(rule, environment, reach, (param, text) => {
      errors[param] ??= text;
    });
    return {
      ...rule,
      enable: Number(rule["enable"] ?? 0),
      ...(ipversion !== undefined && { ipversion }),
      ...(Object.keys(errors).length > 0 && { errors }),
    };
  } catch {
    return undefined;
  }
}

import { die, failureText, paramError } from "../kernel/failure.ts";
import { interfaceFormat } from "../schema/formats.ts";
import { integer, string } from "../schema/schema.ts";
import { digest } from "../schema/standard-options.ts";
import type { FirewallFile, FirewallRule } from "../world/firewall.ts";
import {
  addressListVersion,
  addressSpecFormat,
  checkPorts,
  destinationPortFormat,
  icmpTypeFormat,
  isAlias,
  protocolFormat,
  sourcePortFormat,
} from "./formats.ts";
import { hasPorts, icmpTypes, icmpV6Types, isIcmp, macros } from "./names.ts";
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

const storedOptions = [
  "type",
  "action",
  ...Object.keys(ruleOptions).filter((name) => name !== "digest" && name !== "pos"),
];

/** `copy_rule_data`: an empty value or `-` takes an option away. A macro gets the case its name is written in. */
export function applyRule(rule: FirewallRule, given: Readonly<Record<string, string>>): FirewallRule {
  const next = { ...rule };
  for (const name of storedOptions) {
    const value = given[name];
    if (value === "" || value === "-") {
      delete next[name];
    } else if (value !== undefined) {
      next[name] = name === "macro" ? (findMacro(value) ?? value) : value;
    }
  }
  return next;
}

/** A rule as it is read back: numbers where PVE has them, and the IP version its addresses imply. */
export function describeRule(rule: FirewallRule, files: readonly FirewallFile[]): Record<string, unknown> {
  const version = ipVersion(rule, files);
  return { ...rule, enable: Number(rule["enable"] ?? 0), ...(version !== undefined && { ipversion: version }) };
}

function ipVersion(rule: FirewallRule, files: readonly FirewallFile[]): number | undefined {
  const { proto } = rule;
  if (isIcmp(proto)) {
    return icmpVersion(proto);
  }
  const versions = [rule["source"], rule["dest"]].map((spec) => {
    const cidr = spec === undefined ? undefined : findAlias(spec, files);
    return spec === undefined ? undefined : addressListVersion(cidr ?? spec);
  });
  return versions.find((version) => version !== undefined);
}

const icmpVersion = (proto: string | undefined) => (proto === "icmp" ? 4 : 6);

function findAlias(reference: string, files: readonly FirewallFile[]): string | undefined {
  const name = reference.replace(/^(?:dc|guest)\//, "").toLowerCase();
  return files.map(({ aliases }) => aliases[name]?.cidr).find((cidr) => cidr !== undefined);
}

const findMacro = (text: string) => macros.find((name) => name.toLowerCase() === text.toLowerCase());

const typesIn: Record<Environment, readonly string[]> = {
  vm: ["in", "out", "group"],
  ct: ["in", "out", "group"],
  group: ["in", "out", "forward"],
  cluster: ["in", "out", "forward", "group"],
  host: ["in", "out", "forward", "group"],
};

/** `verify_rule`: the first thing that is wrong, as the failure of its parameter. `files` are those in reach. */
export function verifyRule(rule: FirewallRule, environment: Environment, files: readonly FirewallFile[]): void {
  checkType(rule, environment);
  checkInterface(rule, environment);
  const { macro, proto } = rule;
  if (macro !== undefined && findMacro(macro) === undefined) {
    paramError({ macro: `unknown macro '${macro}'` });
  }
  checkPort(rule, "dport", isIcmp(proto));
  checkIcmp(rule);
  checkPort(rule, "sport", false);
  const version = isIcmp(proto) ? icmpVersion(proto) : undefined;
  checkAddress(rule, "dest", files, checkAddress(rule, "source", files, version));
}

function checkType({ type = "", action = "" }: FirewallRule, environment: Environment): void {
  if (!typesIn[environment].includes(type)) {
    paramError({ type: `invalid rule type '${type}' for rule_env '${environment}'` });
  }
  if (type === "group") {
    return;
  }
  if (type === "forward" && action === "REJECT") {
    paramError({ action: "cannot define REJECT rules on forward chain" });
  }
  if (!/^(?:ACCEPT|DROP|REJECT)$/.test(action)) {
    paramError({ action: `unknown action '${action}'` });
  }
}

function checkInterface({ iface }: FirewallRule, environment: Environment): void {
  if (iface === undefined) {
    return;
  }
  if (environment === "group") {
    paramError({ type: "parameter -i not allowed for this rule type" });
  }
  if ((environment === "vm" || environment === "ct") && !/^net\d+$/.test(iface)) {
    paramError({ iface: "value does not match the regex pattern 'net\\d+'" });
  }
}

function checkPort(rule: FirewallRule, option: "sport" | "dport", allowIcmp: boolean): void {
  const { [option]: ports, proto } = rule;
  if (ports === undefined) {
    return;
  }
  try {
    checkPorts(ports, allowIcmp);
  } catch (thrown) {
    paramError({ [option]: failureText(thrown).trimEnd() });
  }
  if (proto === undefined) {
    paramError({ proto: `missing property - '${option}' requires this property` });
  }
  if (!hasPorts(proto) && !allowIcmp) {
    paramError({ [option]: `protocol '${proto}' does not support ports` });
  }
}

function checkIcmp(rule: FirewallRule): void {
  const { "icmp-type": type, proto, dport } = rule;
  if (type === undefined) {
    return;
  }
  if (!isIcmp(proto)) {
    paramError({ proto: "missing property - 'icmp-type' requires this property" });
  }
  if (dport !== undefined) {
    paramError({ "icmp-type": "'icmp-type' cannot be specified together with 'dport'" });
  }
  if (!(proto === "icmp" ? icmpTypes : icmpV6Types).has(type)) {
    paramError({ "icmp-type": `invalid icmp-type '${type}' for proto '${proto}'` });
  }
}

const mixedVersions = "detected mixed ipv4/ipv6 addresses in rule";

/**
 * Sets and aliases must exist, in the guest's own file or in the cluster's, and what is an address must be of the IP version
 * that the rule has so far; the answer is the version it has then. PVE blames the parameter for an address of the other
 * version, and nobody for an alias.
 */
function checkAddress(
  rule: FirewallRule,
  option: "source" | "dest",
  files: readonly FirewallFile[],
  sofar: 4 | 6 | undefined,
): 4 | 6 | undefined {
  const spec = rule[option];
  if (spec === undefined) {
    return sofar;
  }
  const version = addressListVersion(spec) ?? sofar;
  if (sofar !== undefined && version !== sofar) {
    paramError({ [option]: mixedVersions });
  }
  if (spec.startsWith("+")) {
    const name = /^\+(?:guest\/|dc\/|sdn\/)?([A-Za-z][A-Za-z0-9\-_]+)$/.exec(spec)?.[1];
    if (name === undefined) {
      paramError({ [option]: `invalid ipset name '${spec}'` });
    }
    if (!files.some(({ sets }) => sets[name] !== undefined)) {
      paramError({ [option]: `no such ipset '${name}'` });
    }
    return version;
  }
  if (!isAlias(spec)) {
    return version;
  }
  const aliasVersion = addressListVersion(
    findAlias(spec, files) ?? paramError({ [option]: `no such alias '${spec}'` }),
  );
  return version === undefined || aliasVersion === version ? aliasVersion : die(mixedVersions);
}

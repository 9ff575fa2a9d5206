import { die, failureText } from "../core/kernel/failure.ts";
import { interfaceFormat } from "../core/schema/formats.ts";
import type { FirewallFile, FirewallRule } from "../core/world/firewall.ts";
import { addressListVersion, checkPorts, isAlias, protocolFormat } from "./formats.ts";
import { findMacroName, macroConflict } from "./macros.ts";
import { hasPorts, icmpTypes, icmpV6Types, isIcmp } from "./names.ts";
import type { Environment } from "./scopes.ts";

// pve-firewall `src/PVE/Firewall.pm`, verify_rule.

/** The objects to which a rule may refer. */
export interface Reach {
  /** Its own file; undefined for rules of a group, which can only refer to the cluster's file. */
  readonly own: FirewallFile | undefined;
  readonly cluster: FirewallFile | undefined;
  /** Names of sets that the SDN creates. */
  readonly sdnSets: readonly string[];
}

/** Receives each error. */
type Report = (param: string, text: string) => void;

interface Check {
  readonly rule: FirewallRule;
  readonly environment: Environment;
  readonly reach: Reach;
  readonly report: Report;
  version: 4 | 6 | undefined;
}

const typesIn: Record<Environment, readonly string[]> = {
  vm: ["in", "out", "group"],
  ct: ["in", "out", "group"],
  group: ["in", "out", "forward"],
  cluster: ["in", "out", "forward", "group"],
  host: ["in", "out", "forward", "group"],
  vnet: ["forward", "group"],
};

/** Checks a rule and writes its macro as PVE does; returns the IP version that its addresses imply. */
export function checkRule(
  rule: FirewallRule,
  environment: Environment,
  reach: Reach,
  report: Report,
): 4 | 6 | undefined {
  let problems = 0;
  const check: Check = {
    rule,
    environment,
    reach,
    report: (param, text) => {
      problems++;
      report(param, text.trimEnd());
    },
    version: undefined,
  };
  checkType(check);
  checkInterface(check);
  checkMacroName(check);
  checkProtocol(check);
  checkPort(check, "dport", isIcmp(rule["proto"]));
  checkIcmp(check);
  checkPort(check, "sport", false);
  checkAddress(check, "source");
  checkAddress(check, "dest");
  const conflict = rule["macro"] !== undefined && problems === 0 ? macroConflict(rule, check.version) : undefined;
  if (conflict !== undefined) {
    check.report(conflict.name, conflict.text);
  }
  return check.version;
}

function attempt({ report }: Check, param: string, body: () => void): void {
  try {
    body();
  } catch (thrown) {
    report(param, failureText(thrown));
  }
}

function checkType({ rule, environment, report }: Check): void {
  const { type = "", action = "" } = rule;
  if (!typesIn[environment].includes(type)) {
    report("type", `invalid rule type '${type}' for rule_env '${environment}'`);
  }
  if (type === "group") {
    if (environment === "group") {
      report("type", "security groups not allowed");
    }
    if (!/^[A-Za-z][A-Za-z0-9\-_]+$/.test(action)) {
      report("action", "invalid characters in security group name");
    }
  } else if (["in", "out", "forward"].includes(type)) {
    if (type === "forward" && action === "REJECT") {
      report("action", "cannot define REJECT rules on forward chain");
    }
    if (!/^(?:ACCEPT|DROP|REJECT)$/.test(action)) {
      report("action", `unknown action '${action}'`);
    }
  } else {
    report("type", `unknown rule type '${type}'`);
  }
}

function checkInterface(check: Check): void {
  const { rule, environment, report } = check;
  const { iface } = rule;
  if (iface === undefined) {
    return;
  }
  if (environment === "group" || environment === "vnet") {
    report("type", "parameter -i not allowed for this rule type");
  }
  attempt(check, "iface", () => interfaceFormat.verify(iface));
  if ((environment === "vm" || environment === "ct") && !/^net\d+$/.test(iface)) {
    report("iface", "value does not match the regex pattern 'net\\d+'");
  }
}

function checkMacroName({ rule, report }: Check): void {
  if (rule["macro"] !== undefined) {
    const name = findMacroName(rule["macro"]);
    if (name === undefined) {
      report("macro", `unknown macro '${rule["macro"]}'`);
    } else {
      rule["macro"] = name;
    }
  }
}

function checkProtocol(check: Check): void {
  const { proto } = check.rule;
  if (proto !== undefined) {
    attempt(check, "proto", () => protocolFormat.verify(proto));
    check.version = isIcmp(proto) ? (proto === "icmp" ? 4 : 6) : undefined;
  }
}

function checkPort(check: Check, option: "sport" | "dport", allowIcmp: boolean): void {
  const { [option]: ports, proto } = check.rule;
  if (ports === undefined) {
    return;
  }
  attempt(check, option, () => checkPorts(ports, allowIcmp));
  if (proto === undefined) {
    check.report("proto", `missing property - '${option}' requires this property`);
  }
  if (!hasPorts(proto ?? "") && !allowIcmp) {
    check.report(option, `protocol '${proto ?? ""}' does not support ports`);
  }
}

function checkIcmp({ rule, report }: Check): void {
  const { "icmp-type": type, proto, dport } = rule;
  if (type === undefined) {
    return;
  }
  if (!isIcmp(proto)) {
    report("proto", "missing property - 'icmp-type' requires this property");
  }
  if (dport !== undefined) {
    report("icmp-type", "'icmp-type' cannot be specified together with 'dport'");
  }
  if (isIcmp(proto) && !(proto === "icmp" ? icmpTypes : icmpV6Types).has(type)) {
    report("icmp-type", `invalid icmp-type '${type}' for proto '${proto}'`);
  }
}

const mixedVersions = "detected mixed ipv4/ipv6 addresses in rule";

function takeVersion(check: Check, version: 4 | 6 | undefined): void {
  if (version !== undefined) {
    if (check.version !== undefined && check.version !== version) {
      die(mixedVersions);
    }
    check.version = version;
  }
}

/** An address of the other IP version is an error of the parameter; an alias of the other version is not reported. */
function checkAddress(check: Check, option: "source" | "dest"): void {
  const value = check.rule[option];
  if (value === undefined) {
    return;
  }
  attempt(check, option, () => takeVersion(check, addressListVersion(value)));
  if (value.startsWith("+")) {
    checkSet(check, option, value);
  } else if (isAlias(value)) {
    checkAlias(check, option, value);
  }
}

function checkSet({ reach, report }: Check, option: string, value: string): void {
  const name = /^\+(?:guest\/|dc\/|sdn\/)?([A-Za-z][A-Za-z0-9\-_]+)$/.exec(value)?.[1];
  if (name === undefined) {
    report(option, `invalid ipset name '${value}'`);
  } else if (
    reach.own?.sets[name] === undefined &&
    reach.cluster?.sets[name] === undefined &&
    !reach.sdnSets.includes(name)
  ) {
    report(option, `no such ipset '${name}'`);
  }
}

function checkAlias(check: Check, option: string, value: string): void {
  const { own, cluster } = check.reach;
  const [, scope = "", text = ""] = /^(guest\/|dc\/)?(.*)$/.exec(value) ?? [];
  const name = text.toLowerCase();
  if (own?.aliases[name] === undefined && cluster?.aliases[name] === undefined) {
    check.report(option, `no such alias '${value}'`);
  }
  const cidr =
    (scope === "dc/" ? undefined : own?.aliases[name]?.cidr) ??
    (scope === "guest/" ? undefined : cluster?.aliases[name]?.cidr);
  takeVersion(check, cidr === undefined ? undefined : cidr.includes(":") ? 6 : 4);
}

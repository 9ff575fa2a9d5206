import { alternatives, type Report } from "#kit";
import { hasPorts, isIcmp, namedAddress, versionOf } from "./formats.ts";
import { icmpTypesOf } from "./icmp-types.ts";
import type { RuleValues } from "./rule-values.ts";
import type { ScopeKind } from "./scope.ts";
import { services } from "./services.ts";

/** A rule of a configuration, in which parts may not be known yet. */
type Given = { readonly [K in keyof RuleValues]?: RuleValues[K] | undefined };

/** Reports about one rule, by attribute. */
interface RuleReport {
  error(attribute: keyof RuleValues, summary: string, detail: string): void;
}

const typesIn: Readonly<Record<ScopeKind | "group", readonly string[]>> = {
  cluster: ["in", "out", "forward"],
  node: ["in", "out", "forward"],
  guest: ["in", "out"],
  vnet: ["forward"],
  group: ["in", "out", "forward"],
};

const owners = { cluster: "the cluster", node: "a node", guest: "a guest", vnet: "a vnet", group: "a security group" };

/** What Proxmox VE would refuse in rules, or silently drop. Undefined: whose firewall it is is not known yet. */
export function checkRules(
  rules: readonly (Given | undefined)[] | null | undefined,
  kind: ScopeKind | "group" | undefined,
  report: Pick<Report, "error">,
  path: readonly (string | number)[] = ["rules"],
): void {
  for (const [index, rule] of (rules ?? []).entries()) {
    if (rule === undefined) continue;
    const ofRule: RuleReport = {
      error: (attribute, summary, detail) => report.error([...path, index, attribute], summary, detail),
    };
    if (rule.security_group) checkGroupRule(rule, ofRule);
    else checkRule(rule, ofRule);
    if (kind !== undefined) checkInScope(rule, kind, ofRule);
  }
}

const besideGroup: readonly (keyof RuleValues)[] = ["security_group", "iface", "enabled", "comment"];

function checkGroupRule(rule: Given, report: RuleReport): void {
  for (const [name, value] of Object.entries(rule) as [keyof RuleValues, unknown][]) {
    if (value === null || value === undefined || besideGroup.includes(name)) continue;
    report.error(
      name,
      "Not with a security group",
      `The rules of \`${rule.security_group}\` say what is matched, and Proxmox VE drops \`${name}\` (${JSON.stringify(value)}) here. Only \`iface\`, \`enabled\` and \`comment\` can be given with \`security_group\`: remove it, or write it into the rules of the group.`,
    );
  }
}

function checkRule(rule: Given, report: RuleReport): void {
  const isGroup = rule.security_group === undefined && "security_group" in rule;
  for (const name of ["type", "action"] as const) {
    if (rule[name] !== null || isGroup) continue;
    report.error(name, "Incomplete rule", "A rule needs `type` and `action`, or `security_group`.");
  }
  if (rule.type === "forward" && rule.action === "REJECT") {
    report.error(
      "action",
      "No REJECT for forwarded packets",
      'Proxmox VE has no `REJECT` for `type = "forward"`: write "DROP".',
    );
  }
  checkPorts(rule, report);
  checkVersions(rule, report);
}

function checkPorts(rule: Given, report: RuleReport): void {
  const { proto, icmp_type: icmpType } = rule;
  for (const name of ["dport", "sport"] as const) {
    const ports = rule[name];
    if (!ports || proto === undefined) continue;
    if (proto !== null && hasPorts(proto)) {
      checkServices(name, ports, report);
      continue;
    }
    const isIcmpPort = name === "dport" && proto !== null && isIcmp(proto);
    if (isIcmpPort && !/\d/.test(ports)) continue;
    const detail =
      proto === null
        ? `Ports (${JSON.stringify(ports)}) belong to a protocol: add \`proto = "tcp"\` or another.`
        : `Protocol \`${proto}\` has no ports (${JSON.stringify(ports)}): use "tcp", "udp", "udplite", "dccp" or "sctp", or remove the ports.`;
    report.error(name, "Ports without a protocol that has them", detail);
  }
  if (!icmpType) return;
  if (proto !== undefined && (proto === null || !isIcmp(proto))) {
    report.error("icmp_type", "ICMP type without ICMP", `\`${icmpType}\` needs \`proto = "icmp"\` or \`"icmpv6"\`.`);
  }
  if (proto && isIcmp(proto)) checkIcmpType(icmpType, proto, report);
  if (rule.dport) report.error("icmp_type", "ICMP type beside ports", "Give either `icmp_type` or `dport`.");
}

function checkIcmpType(icmpType: string, proto: string, report: RuleReport): void {
  const known = icmpTypesOf(proto);
  if (known.includes(icmpType)) return;
  const detail = `\`${icmpType}\` is not the name of a type of \`${proto}\` packets. ${alternatives(icmpType, known)}`;
  report.error("icmp_type", "No such ICMP type", detail);
}

/** What is neither a number nor a range of numbers has to be the name of a service. */
function checkServices(attribute: "dport" | "sport", ports: string, report: RuleReport): void {
  const unknown = ports.split(",").find((part) => !/^\d+(?::\d+)?$/.test(part) && !services.has(part));
  if (unknown === undefined) return;
  const detail = `\`${unknown}\` is not the name of a service: Proxmox VE takes the names of /etc/services. ${alternatives(unknown, services)} The number of the port always works.`;
  report.error(attribute, "No such service", detail);
}

/** Addresses of both ends are of one version; what names stand for is not looked at. */
function checkVersions({ source, dest, proto }: Given, report: RuleReport): void {
  const version = (text: string | null | undefined) =>
    text && namedAddress(text) === null ? versionOf(text.split(",")[0] ?? "") : null;
  const ofProtocol = proto && isIcmp(proto) ? (proto === "icmp" ? 4 : 6) : null;
  const [from, to] = [version(source), version(dest)];
  const [first] = [ofProtocol, from, to].filter((one) => one !== null);
  for (const [name, found, text] of [["source", from, source] as const, ["dest", to, dest] as const]) {
    if (found === null || found === first) continue;
    report.error(
      name,
      "IPv4 and IPv6 in one rule",
      `\`${text}\` is IPv${found}, and the rest of the rule is IPv${first}. Write a rule for each version.`,
    );
  }
}

function checkInScope(
  { type, iface, security_group: group }: Given,
  kind: ScopeKind | "group",
  report: RuleReport,
): void {
  const types = typesIn[kind];
  if (type && !types.includes(type)) {
    const allowed = types.map((one) => `"${one}"`).join(" or ");
    report.error("type", "Wrong direction", `Rules of ${owners[kind]} are for ${allowed}, not for "${type}".`);
  }
  if (!iface) return;
  if (kind === "vnet" || (kind === "group" && !group)) {
    report.error("iface", "No interface here", `Rules of ${owners[kind]} have no \`iface\` (\`${iface}\`): remove it.`);
  } else if (kind === "guest" && !/^net\d+$/.test(iface)) {
    report.error("iface", "Not an interface of a guest", `\`${iface}\` must be a slot of the guest such as \`net0\`.`);
  }
}

import { die } from "../core/kernel/failure.ts";
import { bare } from "../core/world/bare.ts";
import type { FirewallAlias, FirewallFile, FirewallRule, FirewallSet } from "../core/world/firewall.ts";
import { shortCidr } from "./formats.ts";

/*
 * `.fw` files as text: pve-firewall `src/PVE/Firewall.pm`, save_*fw_conf and generic_fw_config_parser. A change is
 * stored as the parser would read it back: names of groups and sets in lower case, comments without surrounding blanks,
 * and the second line of a comment as a separate rule.
 */

type Texts = Readonly<Record<string, string>>;

const ruleTypes = ["in", "out", "forward", "group"];

const commentOf = (comment: string | undefined) =>
  comment === undefined || /^\s*$/.test(comment) || comment === "0" ? "" : ` # ${comment}`;

function formatRule(rule: FirewallRule, withInterface: boolean): string {
  const { type = "", action, macro, enable, iface, comment } = rule;
  if (!ruleTypes.includes(type)) {
    die(`unknown rule type '${type}' at /usr/share/perl5/PVE/Firewall.pm line 3731.`);
  }
  const option = (flag: string, name: string) => (rule[name] ? ` -${flag} ${rule[name]}` : "");
  const matches =
    type === "group"
      ? []
      : [
          option("source", "source"),
          option("dest", "dest"),
          option("p", "proto"),
          option("dport", "dport"),
          option("sport", "sport"),
          option("log", "log"),
          option("icmp-type", "icmp-type"),
        ];
  const head = `${Number(enable ?? 1) === 0 ? "|" : ""}${type.toUpperCase()} ${macro ? `${macro}(${action})` : action}`;
  return `${head}${withInterface && iface ? ` -i ${iface}` : ""}${matches.join("")}${commentOf(comment)}\n`;
}

const formatRules = (rules: readonly FirewallRule[], withInterface: boolean) =>
  rules.map((rule) => formatRule(rule, withInterface)).join("");

function formatSet(name: string, { comment, entries }: FirewallSet): string {
  const unique = entries.filter(({ cidr }, index) => entries.findIndex((entry) => entry.cidr === cidr) === index);
  const lines = unique
    .sort((one, other) => (one.cidr < other.cidr ? -1 : 1))
    .map(({ cidr, nomatch, comment: note }) => `${nomatch ? "!" : ""}${cidr}${commentOf(note)}\n`);
  return `[IPSET ${name}]${comment ? ` # ${comment}` : ""}\n\n${lines.join("")}\n`;
}

/** All parts except the options, which need not be read back. */
function formatFile({ aliases, sets, rules, groups }: FirewallFile): string {
  const aliasLines = Object.keys(aliases)
    .sort()
    .map((key) => aliases[key] as FirewallAlias)
    .map(({ name, cidr, comment }) => `${name} ${cidr}${commentOf(comment)}\n`);
  const groupTexts = Object.keys(groups)
    .sort()
    .map((name) => {
      const comment = groups[name]?.comment;
      return `[group ${name}]${comment ? ` # ${comment}` : ""}\n\n${formatRules(groups[name]?.rules ?? [], false)}\n`;
    });
  return [
    ...(aliasLines.length > 0 ? ["[ALIASES]\n\n", ...aliasLines, "\n"] : []),
    ...Object.keys(sets)
      .sort()
      .map((name) => formatSet(name, sets[name] as FirewallSet)),
    ...(rules.length > 0 ? ["[RULES]\n\n", formatRules(rules, true), "\n"] : []),
    ...groupTexts,
  ].join("");
}

const ruleOptions: readonly [name: string, pattern: RegExp][] = [
  ["iface", /^-i (\S+)\s*/],
  ["proto", /^(?:-p|--?proto) (\S+)\s*/],
  ["dport", /^--?dport (\S+)\s*/],
  ["sport", /^--?sport (\S+)\s*/],
  ["source", /^--?source (\S+)\s*/],
  ["dest", /^--?dest (\S+)\s*/],
  ["log", /^--?log (emerg|alert|crit|err|warning|notice|info|debug|nolog)\s*/],
  ["icmp-type", /^--?icmp-type (\S+)\s*/],
];

/** `parse_fw_rule` without its check of the values; undefined for an invalid line. */
function parseRule(line: string): FirewallRule | undefined {
  const comment = /#\s*(.*?)\s*$/s.exec(line)?.[1];
  const plain = line.replace(/#\s*(.*?)\s*$/s, "");
  const [head, word = "", action = ""] = /^\|?(\S+)\s+(\S+)\s*/.exec(plain) ?? [];
  if (head === undefined) {
    return undefined;
  }
  const type = word.toLowerCase();
  const [, macro, verdict] = (type !== "group" && /^(\S+)\((ACCEPT|DROP|REJECT)\)$/.exec(action)) || [];
  const options: FirewallRule = {};
  let rest = plain.slice(head.length);
  for (let found = true; found && rest !== ""; ) {
    const option = ruleOptions.find(([name, pattern]) => (type !== "group" || name === "iface") && pattern.test(rest));
    found = option !== undefined;
    if (option !== undefined) {
      options[option[0]] = option[1].exec(rest)?.[1] ?? "";
      rest = rest.replace(option[1], "");
    }
  }
  if (rest !== "") {
    return undefined;
  }
  return {
    type,
    action: verdict ?? action,
    enable: plain.startsWith("|") ? "0" : "1",
    ...(macro !== undefined && { macro }),
    ...options,
    ...(comment && { comment }),
  };
}

/** Null for a line that has another form, undefined for an alias of something that is no address. */
function parseAlias(line: string): FirewallAlias | null | undefined {
  const comment = /\s*#\s*(.*?)\s*$/s.exec(line)?.[1];
  const [, name, cidr] = /^(\S+)\s(\S+)$/.exec(line.replace(/\s*#\s*(.*?)\s*$/s, "")) ?? [];
  if (name === undefined || cidr === undefined) {
    return null;
  }
  return !/^[0-9a-fA-F.:]+(?:\/\d+)?$/.test(cidr)
    ? undefined
    : { name, cidr: shortCidr(cidr), ...(comment && { comment }) };
}

function parseEntry(line: string): FirewallSet["entries"][number] {
  const comment = /#\s*(.*?)\s*$/s.exec(line)?.[1];
  const [, not, cidr = ""] = /^(!)?\s*(\S+)\s*$/.exec(line.replace(/#\s*(.*?)\s*$/s, "")) ?? [];
  return { cidr: shortCidr(cidr), ...(not !== undefined && { nomatch: 1 as const }), ...(comment && { comment }) };
}

const header = (comment: string | undefined) => (comment ? { comment } : {});

/** Parses the text into a file; invalid lines are skipped. */
function parseText(text: string, options: Texts): FirewallFile {
  const file: FirewallFile = bare({ options: { ...options }, rules: [], aliases: {}, sets: {}, groups: {} });
  let take: (line: string) => void = () => undefined;
  for (const raw of text.split("\n")) {
    const line = raw.trim();
    if (line === "" || line.startsWith("#")) {
      continue;
    }
    const [, kind, name, comment] =
      /^\[(aliases|rules|group|ipset)(?:\s+(\S+))?\]\s*(?:#\s*(.*?)\s*)?$/is.exec(line) ?? [];
    if (kind === undefined) {
      take(line);
      continue;
    }
    const key = (name ?? "").toLowerCase();
    switch (kind.toLowerCase()) {
      case "aliases":
        take = (entry) => {
          const alias = parseAlias(entry);
          if (alias === null) {
            file.hasStrayLine = true;
          } else if (alias !== undefined) {
            file.aliases[alias.name.toLowerCase()] = alias;
          }
        };
        break;
      case "ipset": {
        const set: FirewallSet = { ...header(comment ?? file.sets[key]?.comment), entries: [] };
        file.sets[key] = set;
        take = (entry) => set.entries.push(parseEntry(entry));
        break;
      }
      case "group": {
        const group = { ...header(comment ?? file.groups[key]?.comment), rules: [] as FirewallRule[] };
        file.groups[key] = group;
        take = (entry) => group.rules.push(...[parseRule(entry) ?? []].flat());
        break;
      }
      default:
        take = (entry) => file.rules.push(...[parseRule(entry) ?? []].flat());
    }
  }
  return file;
}

/** A changed file as PVE reads it after writing it. */
export function reread(file: FirewallFile): FirewallFile {
  return parseText(formatFile(file), file.options);
}

import { bool, matches, oneOf, string } from "#kit";
import { faultOfAddresses, faultOfPorts, faultOfProtocol } from "./formats.ts";

export const logLevels = ["emerg", "alert", "crit", "err", "warning", "notice", "info", "debug", "nolog"] as const;

/** PVE keeps comments of one line, without blanks around them, and drops "0". */
export const comment = string({ check: matches(/^(?!0$)\S([^\n\r]*\S)?$/, "one line that is not blank") });

export const securityGroupName = string({
  check: matches(
    /^[a-z][a-z0-9_-]{1,17}$/,
    "a lower-case letter and then 1 to 17 lower-case letters, digits, `-` or `_`",
  ),
});

export const isSetName = matches(
  /^[a-z][a-z0-9_-]{1,63}$/,
  "a lower-case letter and then 1 to 63 lower-case letters, digits, `-` or `_`",
);

export const setName = string({ check: isSetName });

export const isAliasName = matches(
  /^[A-Za-z][A-Za-z0-9_-]{1,63}$/,
  "a letter and then 1 to 63 letters, digits, `-` or `_`",
);

const verdict = oneOf(["ACCEPT", "DROP", "REJECT"]);
const direction = oneOf(["in", "out", "forward"]);
const addresses = string({ check: faultOfAddresses });
const ports = string({ check: faultOfPorts });
const spelled =
  "an address, a network, a range, a list with commas, an alias such as `dc/office`, or an IP set such as `+dc/admins`";

/** What a rule of a security group can say. */
export const groupRuleAttributes = {
  type: { type: direction, mode: "required", doc: "Direction of the packets: `in`, `out` or `forward`." },
  action: { type: verdict, mode: "required", doc: "What happens to them: `ACCEPT`, `DROP` or `REJECT`." },
  enabled: { type: bool(), mode: "optional", doc: "Whether the rule takes effect. Left out: it does." },
  macro: {
    type: string({ same: (a, b) => a.toLowerCase() === b.toLowerCase() }),
    mode: "optional",
    doc: "Macro that stands for protocols and ports, such as `SSH`; data source `proxmox_firewall_macros` lists them.",
  },
  source: { type: addresses, mode: "optional", doc: `Where packets come from: ${spelled}.` },
  dest: { type: addresses, mode: "optional", doc: `Where packets go to: ${spelled}.` },
  proto: { type: string({ check: faultOfProtocol }), mode: "optional", doc: "Protocol, such as `tcp`." },
  dport: {
    type: ports,
    mode: "optional",
    doc: "Destination ports, such as `22`, `80,443` or `8000:8010`. Needs a `proto` that has ports.",
  },
  sport: { type: ports, mode: "optional", doc: "Source ports." },
  icmp_type: {
    type: string(),
    mode: "optional",
    doc: 'Type of ICMP packets, such as `echo-request`. Needs `proto = "icmp"` or `"icmpv6"`.',
  },
  log: { type: oneOf(logLevels), mode: "optional", doc: "Level at which packets that match are logged." },
  comment: { type: comment, mode: "optional", doc: "A comment." },
} as const;

/** What a rule of a firewall can say besides. */
export const ruleAttributes = {
  ...groupRuleAttributes,
  type: {
    type: direction,
    mode: "optional",
    doc: "Direction of the packets: `in` or `out` for guests, `forward` for vnets, any for the cluster and nodes. Needed unless `security_group` is given.",
  },
  action: {
    type: verdict,
    mode: "optional",
    doc: "What happens to them: `ACCEPT`, `DROP` or `REJECT`. Needed unless `security_group` is given.",
  },
  security_group: {
    type: securityGroupName,
    mode: "optional",
    doc: "Security group whose rules are inserted here. Only `iface`, `enabled` and `comment` can be given with it.",
  },
  iface: {
    type: string({ check: matches(/^[A-Za-z][\w.:-]{1,19}$/, "the name of an interface") }),
    mode: "optional",
    doc: "Interface: a slot such as `net0` for guests, one of the host's for the cluster and nodes.",
  },
} as const;

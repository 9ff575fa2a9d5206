import { bool, int, matches, nested, oneOf, set, string } from "#kit";
import { logLevels } from "./rule-attributes.ts";
import { vmid, vnetName } from "./scope.ts";

const flag = (wire: string, doc: string) => ({ type: bool(), mode: "optional", wire, doc }) as const;

const level = (wire: string, doc: string) => ({ type: oneOf(logLevels), mode: "optional", wire, doc }) as const;

const policy = (wire: string, doc: string) =>
  ({ type: oneOf(["ACCEPT", "REJECT", "DROP"]), mode: "optional", wire, doc }) as const;

const forward = {
  type: oneOf(["ACCEPT", "DROP"]),
  mode: "optional",
  wire: "policy_forward",
  doc: "What happens to forwarded packets that no rule matches. Left out: `ACCEPT`.",
} as const;

const count = (wire: string, min: number, max: number | undefined, doc: string) =>
  ({ type: int({ min, ...(max !== undefined && { max }) }), mode: "optional", wire, doc }) as const;

const policyIn = policy("policy_in", "What happens to incoming packets that no rule matches. Left out: `DROP`.");
const policyOut = policy("policy_out", "What happens to outgoing packets that no rule matches. Left out: `ACCEPT`.");
const levelIn = level("log_level_in", "Level at which incoming packets are logged. Left out: `nolog`.");
const levelOut = level("log_level_out", "Level at which outgoing packets are logged. Left out: `nolog`.");
const levelForward = level("log_level_forward", "Level at which forwarded packets are logged. Left out: `nolog`.");

const rateLimit = {
  enabled: {
    type: bool(),
    mode: "required",
    wire: "log_ratelimit/enable",
    isDefaultKey: true,
    doc: "Whether there is a limit.",
  },
  rate: {
    type: string({ check: matches(/^[1-9]\d*\/(second|minute|hour|day)$/, 'a number per unit, such as "1/second"') }),
    mode: "optional",
    wire: "log_ratelimit/rate",
    doc: "Lines per unit, such as `1/second`.",
  },
  burst: {
    type: int({ min: 0 }),
    mode: "optional",
    wire: "log_ratelimit/burst",
    doc: "Lines before the limit takes effect.",
  },
} as const;

export const clusterOptions = {
  enabled: {
    ...flag(
      "enable",
      "Whether the firewall of the whole cluster takes effect. Left out: it does not. It is enabled after all other changes of firewalls in the same apply.",
    ),
    // PVE stores the time in place of 1 where it was enabled on trial.
    as: { parse: (raw: unknown) => Number(raw) > 0, print: (on: unknown) => Boolean(on) },
  },
  policy_in: policyIn,
  policy_out: policyOut,
  policy_forward: forward,
  ebtables: flag("ebtables", "Whether rules for Ethernet frames are created. Left out: they are."),
  log_ratelimit: { type: nested(rateLimit), mode: "optional", doc: "Limit of log lines." },
} as const;

export const nodeOptions = {
  node: { type: string(), mode: "required", replace: true, doc: "Node." },
  enabled: flag("enable", "Whether the firewall of the node takes effect. Left out: it does."),
  log_level_in: levelIn,
  log_level_out: levelOut,
  log_level_forward: levelForward,
  log_nf_conntrack: flag("log_nf_conntrack", "Whether tracked connections are logged."),
  ndp: flag("ndp", "Whether IPv6 neighbour discovery is allowed. Left out: it is."),
  nf_conntrack_allow_invalid: flag("nf_conntrack_allow_invalid", "Whether packets of unknown connections are allowed."),
  nf_conntrack_helpers: {
    type: set(oneOf(["amanda", "ftp", "irc", "pptp", "sane", "sip", "snmp", "tftp"])),
    mode: "optional",
    wire: "nf_conntrack_helpers",
    doc: "Protocols whose further connections are tracked.",
  },
  nf_conntrack_max: count("nf_conntrack_max", 32_768, undefined, "How many connections are tracked. Left out: 262144."),
  nf_conntrack_tcp_timeout_established: count(
    "nf_conntrack_tcp_timeout_established",
    7875,
    undefined,
    "Seconds after which an idle connection is forgotten. Left out: 432000.",
  ),
  nf_conntrack_tcp_timeout_syn_recv: count(
    "nf_conntrack_tcp_timeout_syn_recv",
    30,
    60,
    "Seconds that a connection may take to be established. Left out: 60.",
  ),
  nftables: flag("nftables", "Whether the implementation with nftables is used, which rules for `forward` need."),
  nosmurfs: flag("nosmurfs", "Whether packets from broadcast addresses are dropped. Left out: they are."),
  protection_synflood: flag("protection_synflood", "Whether floods of SYN packets are limited."),
  protection_synflood_burst: count(
    "protection_synflood_burst",
    0,
    undefined,
    "SYN packets before the limit. Left out: 1000.",
  ),
  protection_synflood_rate: count("protection_synflood_rate", 0, undefined, "SYN packets in a second. Left out: 200."),
  smurf_log_level: level("smurf_log_level", "Level at which packets from broadcast addresses are logged."),
  tcp_flags_log_level: level("tcp_flags_log_level", "Level at which packets with illegal TCP flags are logged."),
  tcpflags: flag("tcpflags", "Whether packets with illegal TCP flags are dropped."),
} as const;

export const guestOptions = {
  vmid: { type: vmid, mode: "required", replace: true, doc: "VM or container." },
  enabled: flag("enable", "Whether the firewall of the guest takes effect. Left out: it does not."),
  policy_in: policyIn,
  policy_out: policyOut,
  log_level_in: levelIn,
  log_level_out: levelOut,
  dhcp: flag("dhcp", "Whether DHCP is allowed."),
  ipfilter: flag("ipfilter", "Whether a network card may only use its own addresses (IP sets `ipfilter-net0` …)."),
  macfilter: flag("macfilter", "Whether a network card may only use its own MAC address. Left out: it may."),
  ndp: flag("ndp", "Whether IPv6 neighbour discovery is allowed. Left out: it is."),
  radv: flag("radv", "Whether the guest may send router advertisements."),
} as const;

export const vnetOptions = {
  vnet: { type: vnetName, mode: "required", replace: true, doc: "Vnet." },
  enabled: flag("enable", "Whether the firewall of the vnet takes effect. Left out: it does not."),
  policy_forward: forward,
  log_level_forward: levelForward,
} as const;

import { list, map, nested, string } from "#kit";
import { faultOfNetwork } from "./formats.ts";
import { entry } from "./ipset-entries.ts";
import { lockOutAttributes } from "./lock-out.ts";
import { clusterOptions, guestOptions, nodeOptions, vnetOptions } from "./option-attributes.ts";
import { comment, isAliasName, isSetName, ruleAttributes } from "./rule-attributes.ts";
import { type ScopeKind, scopeAttributes } from "./scope.ts";

const { node: _node, ...ofNodes } = nodeOptions;
const { vmid: _vmid, ...ofGuests } = guestOptions;
const { vnet: _vnet, ...ofVnets } = vnetOptions;

/** The options that each firewall has. */
export const optionsIn: Readonly<Record<ScopeKind, readonly string[]>> = {
  cluster: Object.keys(clusterOptions),
  node: Object.keys(ofNodes),
  guest: Object.keys(ofGuests),
  vnet: Object.keys(ofVnets),
};

const options = {
  ...clusterOptions,
  ...ofNodes,
  ...ofGuests,
  ...ofVnets,
  enabled: {
    ...ofGuests.enabled,
    doc: "Whether the firewall takes effect. Left out: a node's does, others do not. It is enabled after all else is in place.",
  },
} as const;

/** The options of all of them: those that a firewall does not have are null. */
export const noOptions = Object.fromEntries(Object.keys(options).map((name) => [name, null]));

const alias = nested({
  cidr: { type: string({ check: faultOfNetwork }), mode: "required", doc: "IP address or network." },
  comment: { type: comment, mode: "optional", doc: "A comment." },
});

const set = nested(
  {
    comment: { type: comment, mode: "optional", doc: "A comment." },
    entries: {
      type: map(entry),
      mode: "optional",
      doc: "Entries by address, network or alias, as those of `proxmox_firewall_ipset`.",
    },
  },
  { mayBeEmpty: true },
);

export const policyAttributes = {
  ...scopeAttributes,
  ...lockOutAttributes,
  options: {
    type: nested(options, { mayBeEmpty: true }),
    mode: "optional",
    doc: "Switches and policies, as those of `proxmox_firewall_options`. What is left out has Proxmox VE's default.",
  },
  aliases: {
    type: map(alias, { keys: isAliasName }),
    mode: "optional",
    doc: "All aliases by name, of the cluster or a guest. Rules name them as `dc/NAME` and `guest/NAME`.",
  },
  ipsets: {
    type: map(set, { keys: isSetName }),
    mode: "optional",
    doc: "All IP sets by name, of the cluster or a guest. Rules name them as `+dc/NAME` and `+guest/NAME`.",
  },
  rules: {
    type: list(nested(ruleAttributes)),
    mode: "optional",
    doc: "All rules, in the order in which they are applied.",
  },
  table: {
    type: list(string()),
    mode: "computed",
    instead: "Set `rules`.",
    doc: "The resulting rules as lines of a table, with the policies at the end: what a plan shows.",
  },
} as const;

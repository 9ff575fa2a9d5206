import {
  beyondAscii,
  bool,
  bpg,
  defineCrud,
  disabled,
  int,
  line,
  map,
  matches,
  nullable,
  oneOf,
  opposite,
  set,
  string,
} from "#kit";
import { nodeAffinity, withoutDefault } from "./node-affinity.ts";
import { movedPriorities, parsePriorities, printPriorities } from "./node-priorities.ts";
import { validateRule } from "./validate-rule.ts";

/** `proxmox_ha_rule`. Server side: pve-ha-manager `src/PVE/API2/HA/Rules.pm`, `src/PVE/HA/Rules/*.pm`. */
export const haRule = defineCrud({
  type: "proxmox_ha_rule",
  subcategory: "Cluster",
  doc: "A rule for guests under high availability: the nodes they run on, or whether they run together or apart. It takes the place of the HA groups of Proxmox VE 8. Rules that contradict each other are refused, and the message says which.",
  noun: "HA rule",
  path: "/cluster/ha/rules/{rule}",
  file: "the HA configuration",
  identity: ["name"],
  isListWhole: true,
  goesWithOthers: true,
  alwaysSent: ["type"],
  optionsIn: withoutDefault,
  validate: validateRule,
  movedFrom: [
    bpg("harule", {
      name: "rule",
      type: "type",
      resources: "resources",
      nodes: movedPriorities,
      strict: (old) => (old.text("type") === "node-affinity" ? old.flag("strict") : undefined),
      affinity: (old) => old.text("affinity") ?? "positive",
      enabled: opposite("disable"),
      comment: "comment",
    }),
  ],
  attributes: {
    name: {
      type: string({ check: matches(/^[A-Za-z][\w-]+$/, "a letter and then letters, digits, `-` or `_`") }),
      mode: "required",
      wire: "rule",
      replace: true,
      doc: "Name of the rule.",
    },
    type: {
      type: oneOf(["node-affinity", "resource-affinity"]),
      mode: "required",
      wire: "type",
      replace: true,
      doc: "What the rule is about: `node-affinity` (which nodes the guests run on) or `resource-affinity` (whether they run together or apart).",
    },
    resources: {
      type: set(string({ check: matches(/^(vm|ct):[1-9]\d{2,8}$/, '"vm:" or "ct:" and a VMID, such as "vm:100"') }), {
        min: 1,
      }),
      mode: "required",
      wire: "resources",
      doc: "Guests the rule is for, such as `vm:100`. Each has to be under high availability already: refer to the `sid` of its `proxmox_ha_resource`, or to the VM that has `ha`.",
    },
    nodes: {
      type: map(int({ min: 0 }), { min: 1 }),
      mode: "optional",
      wire: "nodes",
      as: { parse: parsePriorities, print: printPriorities },
      refers: "node",
      doc: "For `node-affinity`, where it must be given: nodes and their priorities, such as `{ pve1 = 2, pve2 = 1 }`. The guests run on the online node with the highest; equal ones share them.",
    },
    strict: {
      type: nullable(bool()),
      mode: "optional_computed",
      keep: true,
      wire: "strict",
      custom: { parse: (rule) => (rule.raw("type") === "node-affinity" ? Number(rule.raw("strict")) === 1 : null) },
      doc: "For `node-affinity`: whether the guests are stopped rather than run on another node. Left out: they are not, for a new rule; otherwise it stays as it is.",
    },
    affinity: {
      type: oneOf(["positive", "negative"]),
      mode: "optional_computed",
      keep: true,
      wire: "affinity",
      custom: nodeAffinity,
      doc: "For `resource-affinity`, where it must be given: `positive` (all on the same node) or `negative` (each on a node of its own). For `node-affinity`: `positive` (the guests run on `nodes`), or `negative` (they avoid `nodes`, which then have no priorities: 0), since Proxmox VE 9.2.6. Left out: `positive` for a new one; otherwise it stays as it is.",
    },
    enabled: {
      ...disabled("disable"),
      doc: "Whether the rule counts. Left out: a new one does; otherwise it stays as it is.",
    },
    comment: {
      type: line(4096),
      mode: "optional",
      wire: "comment",
      doc: "A comment: one line of ASCII letters. Proxmox VE breaks others here.",
    },
  },

  async plan({ config, prior, planned, set, report }) {
    // Rules that PVE made from groups have such letters, and keep them until the comment changes (pve-ha-manager: HA/Rules.pm).
    const problem = config.comment && config.comment !== prior?.comment ? beyondAscii(config.comment) : undefined;
    if (problem !== undefined) report.error("comment", "Invalid value", `comment is "${config.comment}". ${problem}`);
    if (config.affinity === null && config.type === "node-affinity" && prior === null) set("affinity", "positive");
    // A rule for nodes is strict or not, also where the line is removed that it was created with.
    if (config.strict !== null || !config.type) return;
    const hasIt = config.type === "node-affinity";
    if (prior === null || (hasIt && planned.strict === null)) set("strict", hasIt ? false : null);
  },
});

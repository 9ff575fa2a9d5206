import {
  alreadyExists,
  bool,
  checkPrivileges,
  type Desired,
  defineResource,
  enumerate,
  Failure,
  int,
  isPveError,
  lengthBetween,
  map,
  matches,
  nullable,
  oneOf,
  type PlanContext,
  provenWrite,
  type Session,
  set,
  string,
  type ValidateContext,
  withDigest,
} from "#kit";
import type { HaRule, Parameters } from "#pve";
import { haChange } from "../guest/ha-options.ts";
import { haNeeds } from "./ha-needs.ts";

const type = "proxmox_ha_rule";

const attributes = {
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
    doc: "What the rule is about: `node-affinity` (which nodes the guests shall run on) or `resource-affinity` (whether they shall run together or apart).",
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
    doc: "For `node-affinity`, where it must be given: nodes and their priorities, such as `{ pve1 = 2, pve2 = 1 }`. The guests run on the online node with the highest; equal ones share them.",
  },
  strict: {
    type: nullable(bool()),
    mode: "optional_computed",
    wire: "strict",
    keep: true,
    doc: "For `node-affinity`: whether the guests are stopped rather than run anywhere else. Left out: they are not, for a new rule; otherwise it stays as it is.",
  },
  affinity: {
    type: oneOf(["positive", "negative"]),
    mode: "optional",
    wire: "affinity",
    doc: "For `resource-affinity`, where it must be given: `positive` (all on the same node) or `negative` (each on a node of its own).",
  },
  enabled: {
    type: bool(),
    mode: "optional_computed",
    wire: "disable",
    keep: true,
    doc: "Whether the rule counts. Left out: a new one does; otherwise it stays as it is.",
  },
  comment: { type: string({ check: lengthBetween(1, 4096) }), mode: "optional", wire: "comment", doc: "A comment." },
} as const;

type Attributes = typeof attributes;
type RulePlan = PlanContext<Attributes, object, Session>;

/** `proxmox_ha_rule`. Server side: pve-ha-manager `src/PVE/API2/HA/Rules.pm`, `src/PVE/HA/Rules/*.pm`. */
export const haRule = defineResource({
  type,
  doc: "A rule for guests under high availability: the nodes they shall run on, or whether they shall run together or apart. It takes the place of the HA groups of Proxmox VE 8. Rules that contradict each other are refused, and the message says which. Needs `Sys.Console` and `Sys.Audit` on `/`.",
  attributes,
  identity: ["name"],
  label: ({ name }) => `HA rule "${name}"`,

  validate,

  async plan(context) {
    const { api, config, prior } = context;
    if (api && prior) api.managed.add(type, prior.name);
    if (prior === null && config.enabled === null) context.set("enabled", true);
    if (prior === null && config.strict === null && config.type) {
      context.set("strict", config.type === "node-affinity" ? false : null);
    }
    if (api && (prior === null || context.changes.size > 0)) {
      await planOnCluster(context, api);
    }
  },

  async planDelete(context) {
    const { api, report } = context;
    if (api) await checkPrivileges({ report, api, needs: haNeeds });
  },

  async create({ api, desired, signal }) {
    const { name } = desired;
    const given = { ...haChange(wireOf(desired), null), type: desired.type };
    const isDone = async () => isSame(await api.ha.rules.find(name, { signal }), given);
    try {
      await provenWrite(api, { write: () => api.ha.rules.create(name, given, { signal }), isDone, signal });
    } catch (reason) {
      if (!isPveError(reason, "exists")) throw reason;
      const { summary, detail } = ruleExists(name);
      throw new Failure(summary, detail, { path: "name", cause: reason });
    }
    return { name };
  },

  async read({ api, id: { name }, signal }) {
    const found = await api.ha.rules.find(name, { signal });
    if (found === null) return null;
    api.managed.add(type, name);
    const isAboutNodes = found.type === "node-affinity";
    return {
      name,
      type: found.type as "node-affinity" | "resource-affinity",
      resources: found.resources ?? [],
      nodes: found.nodes ? Object.fromEntries(found.nodes.map(parseNode)) : null,
      strict: isAboutNodes ? (found.strict ?? false) : null,
      affinity: (found.affinity ?? null) as "positive" | "negative" | null,
      enabled: found.disable !== true,
      comment: found.comment ?? null,
    };
  },

  async update({ api, desired, id: { name }, signal }) {
    await withDigest(
      api,
      async () => (await api.ha.rules.find(name, { signal })) ?? gone(name),
      (now) => {
        const change = { ...haChange(wireOf(desired), now), type: desired.type, digest: now.digest };
        const isDone = async () => isSame(await api.ha.rules.find(name, { signal }), change);
        return provenWrite(api, { write: () => api.ha.rules.update(name, change, { signal }), isDone, signal });
      },
    );
  },

  async delete({ api, id: { name }, signal }) {
    const isDone = async () => (await api.ha.rules.find(name, { signal })) === null;
    // With its last guest a rule goes away by itself, and what is gone need not be removed.
    if (await isDone()) return;
    await provenWrite(api, { write: () => api.ha.rules.remove(name, { signal }), isDone, signal });
  },
});

function validate({ config, report }: ValidateContext<Attributes>): void {
  const { nodes, strict, affinity, resources } = config;
  if (config.type === "node-affinity") {
    if (nodes === null) report.error("nodes", "Nodes needed", "A `node-affinity` rule says which nodes: give `nodes`.");
    if (affinity) report.error("affinity", "Not for this type", "`affinity` is for `resource-affinity` rules.");
  }
  if (config.type !== "resource-affinity") return;
  if (affinity === null) {
    report.error(
      "affinity",
      "Affinity needed",
      'A `resource-affinity` rule says whether together or apart: give `affinity = "positive"` or `"negative"`.',
    );
  }
  if (nodes) report.error("nodes", "Not for this type", "`nodes` is for `node-affinity` rules.");
  if (typeof strict === "boolean")
    report.error("strict", "Not for this type", "`strict` is for `node-affinity` rules.");
  if (resources?.length === 1) {
    report.error(
      "resources",
      "Two guests needed",
      "A guest alone is neither together with nor apart from another one: give two or more.",
    );
  }
}

/** As PVE names things. Lists travel as it keeps them, sorted, so that they can be compared. */
function wireOf({ resources, nodes, strict, affinity, enabled, comment }: Desired<Attributes>) {
  const places = Object.entries(nodes ?? {}).map(([node, priority]) => `${node}:${priority}`);
  return {
    resources: [...resources].sort().join(","),
    nodes: nodes === null ? null : places.sort().join(","),
    strict: strict ?? (nodes === null ? null : undefined),
    affinity,
    disable: enabled === undefined ? undefined : enabled ? null : true,
    comment,
  };
}

/** `pve1:2`; a node without a priority has 0. */
function parseNode(text: string): [string, number] {
  const [node = "", priority = "0"] = text.split(":");
  return [node, Number(priority)];
}

/** Whether the rule is what was asked for, so that a write without an answer was done. */
function isSame(found: HaRule | null, { resources, comment, disable = false }: Parameters): boolean {
  if (found === null) return false;
  const sids = [...(found.resources ?? [])].sort().join(",");
  return sids === resources && found.comment === comment && (found.disable ?? false) === disable;
}

const gone = (name: string): never => {
  throw new Failure("Rule is gone", `There is no HA rule "${name}" any more. The next plan makes it anew.`);
};

const ruleExists = (name: string) =>
  alreadyExists({ type, id: name, label: `HA rule "${name}"`, otherwise: "Otherwise choose another `name`." });

async function planOnCluster({ config, prior, report }: RulePlan, api: Session): Promise<void> {
  const { nodes } = await api.inventory.snapshot();
  for (const node of Object.keys(config.nodes ?? {})) {
    if (nodes.has(node) || Object.hasOwn(prior?.nodes ?? {}, node)) continue;
    report.error(["nodes", node], "No such node", `There is no node \`${node}\`. There is ${enumerate(nodes.keys())}.`);
  }
  await checkPrivileges({ report, api, needs: haNeeds });
  if (prior !== null || !config.name || report.failed) return;
  if (api.managed.has(type, config.name) || (await api.ha.rules.find(config.name)) === null) return;
  const { summary, detail } = ruleExists(config.name);
  report.error("name", summary, detail);
}

import type { Call } from "../core/kernel/endpoint.ts";
import { die, Failure, paramError } from "../core/kernel/failure.ts";
import { splitList } from "../core/schema/format.ts";
import { configIdFormat } from "../core/schema/formats.ts";
import { boolean, string } from "../core/schema/schema.ts";
import { checkNewSection, checkSectionUpdate } from "../core/sections/section-config.ts";
import { sectionEndpoints } from "../core/sections/section-endpoints.ts";
import { digestOf, type SectionEntry, type SectionFile, typedSection } from "../core/sections/section-file.ts";
import { decodeText } from "../core/sections/section-text.ts";
import type { HighAvailability } from "../core/world/ha.ts";
import { isBefore } from "../core/world/release.ts";
import type { SectionOptions } from "../core/world/section.ts";
import type { World } from "../core/world/world.ts";
import { nodesOf, resourcesOf } from "./affinity.ts";
import { checkFeasibility } from "./feasibility.ts";
import { haNodeListFormat, resourceIdListFormat } from "./formats.ts";
import { changeHa } from "./services.ts";

type Rules = HighAvailability["rules"];
type RuleType = Rules[string]["type"];

const ruleTypes = ["node-affinity", "resource-affinity"] as const;
const optional = { optional: true } as const;

/** The options of each type of rule. */
const rulesByType = {
  "node-affinity": {
    resources: {},
    nodes: {},
    affinity: optional,
    strict: optional,
    disable: optional,
    comment: optional,
  },
  "resource-affinity": { resources: {}, affinity: {}, disable: optional, comment: optional },
} as const;

const type = string({ enum: ruleTypes });
const options = {
  affinity: string({ optional: true, enum: ["positive", "negative"] }),
  comment: string({ optional: true, maxLength: 4096 }),
  disable: boolean({ optional: true }),
  nodes: string({ optional: true, format: haNodeListFormat }),
  resources: string({ optional: true, format: resourceIdListFormat }),
  strict: boolean({ optional: true, default: 0 }),
};

/** The first version of pve-manager whose rules for nodes have an affinity. */
const hasNodeAffinity = (world: World) => !isBefore(world, "9.2.6", "ha");

/** The options of a type; the schema of a rule does not have those of the other type. */
function optionsOfType(world: World, ruleType: RuleType): Record<string, { optional?: true }> {
  const { affinity, ...others } = rulesByType[ruleType];
  return ruleType === "resource-affinity" || hasNodeAffinity(world) ? { affinity, ...others } : others;
}

function checkVariant(world: World, ruleType: RuleType, given: SectionOptions, isNew: boolean): void {
  const known = optionsOfType(world, ruleType);
  const errors = Object.fromEntries([
    ...Object.keys(given)
      .filter((name) => known[name] === undefined)
      .map((name) => [name, "property is not defined in schema and the schema does not allow additional properties"]),
    ...Object.entries(known)
      .filter(([name, { optional: isOptional }]) => isNew && !isOptional && given[name] === undefined)
      .map(([name]) => [`oneOf[${ruleType}].${name}`, "property is missing and it is not optional"]),
  ]);
  if (Object.keys(errors).length > 0) {
    paramError(errors);
  }
}

/** Lists are stored sorted and without duplicates; a false `disable` is not stored. */
function normalize(given: SectionOptions): SectionOptions {
  const sorted = (list: string | string[]) => [...new Set(splitList(String(list)))].sort().join(",");
  const { disable, ...rest } = given;
  return {
    ...rest,
    ...(rest["resources"] !== undefined && { resources: sorted(rest["resources"]) }),
    ...(rest["nodes"] !== undefined && { nodes: sorted(rest["nodes"]) }),
    ...(disable === "1" && { disable }),
  };
}

/** The text of a request is decoded as if it came from the file. */
function decodeComment(comment: string | string[]): string {
  if (/[^\0-\xff]/.test(String(comment))) {
    die("Wide character at /usr/share/perl5/PVE/ParseUtils.pm line 67.");
  }
  return decodeText(String(comment));
}

function checkReferences(world: World, given: SectionOptions): void {
  const section = { type: "node-affinity", options: given } as const;
  if (given["resources"] !== undefined) {
    const resources = resourcesOf(section);
    const unmanaged = resources.filter((sid) => world.ha.resources[sid] === undefined).sort();
    if (resources.length === 0) {
      die("no resources were specified");
    }
    if (unmanaged.length > 0) {
      die(`cannot use unmanaged resource(s) ${unmanaged.join(", ")}.`);
    }
  }
  if (given["nodes"] !== undefined) {
    const nodes = nodesOf(section).map(({ node }) => node);
    const unknown = nodes.filter((node) => world.nodes[node] === undefined).sort();
    if (nodes.length === 0) {
      die("no nodes were specified");
    }
    if (unknown.length > 0) {
      die(`cannot use non-existent node(s) ${unknown.join(", ")}.`);
    }
  }
}

/** A new rule is second: PVE numbers it after the first rule, not after the last (`get_next_ordinal`). */
function withNewRule(rules: Rules, id: string, section: Rules[string]): Rules {
  const [first, ...others] = Object.entries(rules);
  return Object.fromEntries([...(first === undefined ? [] : [first]), [id, section] as const, ...others]);
}

/** Stores the rule, and restores the previous state if the rules are not feasible with it. */
function install(world: World, id: string, section: HighAvailability["rules"][string]): void {
  const before = world.ha.rules[id];
  world.ha.rules =
    before === undefined ? withNewRule(world.ha.rules, id, section) : { ...world.ha.rules, [id]: section };
  const errors = checkFeasibility(world)[id];
  if (errors !== undefined) {
    if (before === undefined) {
      delete world.ha.rules[id];
    } else {
      world.ha.rules[id] = before;
    }
    const texts = Object.entries(errors).map(([option, list]) => [option, list.join(", ")]);
    throw new Failure(`Rule '${id}' is invalid.\n`, 400, Object.fromEntries(texts));
  }
}

const mayRead = { check: ["perm", "/", ["Sys.Audit"]] } as const;
const mayWrite = { check: ["perm", "/", ["Sys.Console"]] } as const;

/** Rules in their order, each with the errors that prevent it from being applied. */
function view({ world }: Call): Record<string, SectionEntry> {
  const errors = checkFeasibility(world);
  const digest = digestOf(ruleFile, world);
  return Object.fromEntries(
    Object.entries(world.ha.rules).map(([id, section], index) => [
      id,
      {
        // Defaults that are true are filled in (`set_rule_defaults`).
        ...(section.type === "node-affinity" && hasNodeAffinity(world) && { affinity: "positive" }),
        ...typedSection(ruleFile, section),
        rule: id,
        digest,
        order: index + 1,
        ...(errors[id] !== undefined && { errors: errors[id] }),
      },
    ]),
  );
}

const failures = {
  create: "create ha rule failed",
  update: "update HA rules failed",
  delete: "delete ha rule failed",
} as const;

/** pve-ha-manager `src/PVE/API2/HA/Rules.pm`. */
const ruleFile: SectionFile = {
  path: "/cluster/ha/rules",
  key: "rule",
  id: string({ format: configIdFormat }),
  type,
  options,
  parameters: {
    list: { type: string({ optional: true, enum: ruleTypes }), resource: string({ optional: true }) },
    update: { type },
  },
  knowsByType: true,
  permissions: { list: mayRead, read: mayRead, create: mayWrite, update: mayWrite, delete: mayWrite },
  texts: {
    exists: (id) => `HA rule '${id}' already defined`,
    missing: (id, action) => (action === "read" ? `no such ha rule '${id}'` : `HA rule '${id}' does not exist`),
  },
  sections: ({ ha }) => ha.rules,
  rulesOf: (name) => rulesByType[name as RuleType] ?? {},
  guard: ({ world, params, given }, action) => {
    if (action === "create" || action === "update") {
      const set = Object.entries(given).filter(([name]) => name in options);
      checkVariant(world, params["type"] as RuleType, Object.fromEntries(set), action === "create");
    }
  },
  view,
  isListed: ({ world, params: { resource } }, id) =>
    resource === undefined || resourcesOf(world.ha.rules[id] as Rules[string]).includes(String(resource)),
  change: (call, action, body) => changeHa(call, failures[action], body),
  normalize,
  decode: ({ comment, ...rest }) => (comment === undefined ? rest : { ...rest, comment: decodeComment(comment) }),
  checkOptions: ({ world, params }, present, given, action) => {
    if (present !== params["type"]) {
      die("unexpected property 'type'");
    }
    const rules = rulesByType[present as RuleType];
    if (action === "create") {
      checkNewSection(rules, given);
    } else {
      checkSectionUpdate(rules, given);
      checkReferences(world, given);
    }
  },
  verify: ({ call, given, before }) => {
    if (before === undefined) {
      checkReferences(call.world, given);
    }
  },
  store: ({ call, id, section }) => install(call.world, id, section as Rules[string]),
  deletesMissing: true,
};

export const haRuleEndpoints = sectionEndpoints(ruleFile);

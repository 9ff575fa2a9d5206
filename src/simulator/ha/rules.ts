import { endpoint } from "../core/kernel/endpoint.ts";
import { die, Failure, paramError } from "../core/kernel/failure.ts";
import { splitList } from "../core/schema/format.ts";
import { configIdFormat, configIdListFormat } from "../core/schema/formats.ts";
import { boolean, string } from "../core/schema/schema.ts";
import { digest } from "../core/schema/standard-options.ts";
import {
  assertDigest,
  changedOptions,
  checkDeletions,
  sectionParameters,
  sectionsDigest,
  typedOptions,
} from "../core/sections/section-config.ts";
import type { HighAvailability } from "../core/world/ha.ts";
import type { World } from "../core/world/world.ts";
import { nodesOf, resourcesOf } from "./affinity.ts";
import { checkFeasibility } from "./feasibility.ts";
import { haNodeListFormat, resourceIdListFormat } from "./formats.ts";
import { changeHa } from "./services.ts";

type Rules = HighAvailability["rules"];
type RuleType = Rules[string]["type"];

const ruleTypes = ["node-affinity", "resource-affinity"] as const;
const optional = { optional: true } as const;

/** What each type of rule consists of. */
const rulesByType = {
  "node-affinity": { resources: {}, nodes: {}, strict: optional, disable: optional, comment: optional },
  "resource-affinity": { resources: {}, affinity: {}, disable: optional, comment: optional },
} as const;

const rule = string({ format: configIdFormat });
const type = string({ enum: ruleTypes });
const options = {
  affinity: string({ optional: true, enum: ["positive", "negative"] }),
  comment: string({ optional: true, maxLength: 4096 }),
  disable: boolean({ optional: true }),
  nodes: string({ optional: true, format: haNodeListFormat }),
  resources: string({ optional: true, format: resourceIdListFormat }),
  strict: boolean({ optional: true, default: 0 }),
};

function rulesDigest(world: World): string {
  return sectionsDigest(world.ha.rules, (name) => rulesByType[name as RuleType]);
}

function describe(world: World, id: string): Record<string, unknown> {
  const section = world.ha.rules[id] ?? die(`no such ha rule '${id}'`);
  const errors = checkFeasibility(world)[id];
  return {
    ...typedOptions(section.options, options),
    type: section.type,
    rule: id,
    digest: rulesDigest(world),
    order: Object.keys(world.ha.rules).indexOf(id) + 1,
    ...(errors !== undefined && { errors }),
  };
}

/** The schema of a rule depends on its type; what the other type has is unknown to it. */
function checkVariant(ruleType: RuleType, given: Record<string, string>, isNew: boolean): void {
  const known: Record<string, { optional?: true }> = rulesByType[ruleType];
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

/** Lists are kept sorted and without repetition; a false `disable` is as good as none. */
function normalize(given: Record<string, string>): Record<string, string> {
  const sorted = (list: string) => [...new Set(splitList(list))].sort().join(",");
  const { disable, ...rest } = given;
  return {
    ...rest,
    ...(rest["resources"] !== undefined && { resources: sorted(rest["resources"]) }),
    ...(rest["nodes"] !== undefined && { nodes: sorted(rest["nodes"]) }),
    ...(disable === "1" && { disable }),
  };
}

function checkReferences(world: World, given: Record<string, string>): void {
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

/** A new rule comes second: PVE numbers it after the first of all rules, not after the last (`get_next_ordinal`). */
function withNewRule(rules: Rules, id: string, section: Rules[string]): Rules {
  const [first, ...others] = Object.entries(rules);
  return Object.fromEntries([...(first === undefined ? [] : [first]), [id, section] as const, ...others]);
}

/** Puts the rule in place, and takes it back if the whole would not work with it. */
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

/** pve-ha-manager `src/PVE/API2/HA/Rules.pm`. */
export const haRuleEndpoints = [
  endpoint({
    method: "GET",
    path: "/cluster/ha/rules",
    permissions: mayRead,
    parameters: { type: string({ optional: true, enum: ruleTypes }), resource: string({ optional: true }) },
    handler: ({ params, world }) =>
      Object.entries(world.ha.rules)
        .filter(([, section]) => params.type === undefined || params.type === section.type)
        .filter(([, section]) => params.resource === undefined || resourcesOf(section).includes(params.resource))
        .map(([id]) => describe(world, id)),
  }),
  endpoint({
    method: "GET",
    path: "/cluster/ha/rules/{rule}",
    permissions: mayRead,
    parameters: { rule },
    handler: ({ params, world }) => describe(world, params.rule),
  }),
  endpoint({
    method: "POST",
    path: "/cluster/ha/rules",
    protected: true,
    permissions: mayWrite,
    withoutType: ["rule", "type"],
    parameters: { rule, type, ...options },
    handler: async (call) => {
      const { world, params } = call;
      const given = sectionParameters(call.given, ["rule", "type"]);
      checkVariant(params.type, given, true);
      const normal = normalize(given);
      await changeHa(call, "create ha rule failed", () => {
        if (world.ha.rules[params.rule] !== undefined) {
          die(`HA rule '${params.rule}' already defined`);
        }
        checkReferences(world, normal);
        install(world, params.rule, { type: params.type, options: changedOptions({}, normal) });
      });
      return null;
    },
  }),
  endpoint({
    method: "PUT",
    path: "/cluster/ha/rules/{rule}",
    protected: true,
    permissions: mayWrite,
    withoutType: ["rule", "type", "delete", "digest"],
    parameters: {
      rule,
      type,
      ...options,
      delete: string({ optional: true, format: configIdListFormat, maxLength: 4096 }),
      digest,
    },
    handler: async (call) => {
      const { world, params } = call;
      const given = sectionParameters(call.given, ["rule", "type", "delete", "digest"]);
      checkVariant(params.type, given, false);
      await changeHa(call, "update HA rules failed", () => {
        assertDigest(rulesDigest(world), params.digest);
        const section = world.ha.rules[params.rule] ?? die(`HA rule '${params.rule}' does not exist`);
        if (section.type !== params.type) {
          die("unexpected property 'type'");
        }
        const normal = normalize(given);
        checkReferences(world, normal);
        const deleted = checkDeletions(rulesByType[section.type], params.delete, normal);
        install(world, params.rule, { ...section, options: changedOptions(section.options, normal, deleted) });
      });
      return null;
    },
  }),
  endpoint({
    method: "DELETE",
    path: "/cluster/ha/rules/{rule}",
    protected: true,
    permissions: mayWrite,
    parameters: { rule },
    handler: async (call) => {
      await changeHa(call, "delete ha rule failed", () => {
        delete call.world.ha.rules[call.params.rule];
      });
      return null;
    },
  }),
];

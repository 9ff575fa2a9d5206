import type { HighAvailability } from "../core/world/ha.ts";
import type { World } from "../core/world/world.ts";
import { enabledRules, nodesOf, resourcesOf } from "./affinity.ts";
import { managedNodes } from "./manager-nodes.ts";

type Rule = HighAvailability["rules"][string];

/** Texts by rule and by the option that causes the error. */
export type RuleErrors = Record<string, Record<string, string[]>>;

/** `check_feasibility` of pve-ha-manager `src/PVE/HA/Rules.pm`: the errors of the enabled rules. */
export function checkFeasibility(world: World): RuleErrors {
  const errors: RuleErrors = {};
  const blame = (id: string, text: string, option = "resources") => {
    errors[id] ??= {};
    errors[id][option] ??= [];
    errors[id][option].push(text);
  };
  const rules = enabledRules(world).sort(([a], [b]) => (a < b ? -1 : 1));
  const nodeRules = rules.filter(([, { type }]) => type === "node-affinity");
  const pairs = rules.filter(([, { type }]) => type === "resource-affinity");
  const ofKind = (kind: string) => pairs.filter(([, { options }]) => options["affinity"] === kind);

  for (const [id, rule] of nodeRules) {
    for (const sid of resourcesOf(rule).sort()) {
      if (nodeRules.some(([other, candidate]) => other !== id && resourcesOf(candidate).includes(sid))) {
        blame(id, `resource '${sid}' is already used in another node affinity rule`);
      }
    }
  }
  for (const [id, rule] of nodeRules.filter(([, { options }]) => options["affinity"] === "negative")) {
    const named = nodesOf(rule);
    if (managedNodes(world).every((name) => named.some(({ node }) => node === name))) {
      blame(id, "negative node affinity rule must not specify all cluster nodes", "nodes");
    }
    if (named.some(({ priority }) => priority !== 0)) {
      blame(id, "negative node affinity rule must not specify node priorities", "nodes");
    }
  }
  for (const [id] of pairs.filter(([, rule]) => resourcesOf(rule).length < 2)) {
    blame(id, "rule is ineffective as there are less than two resources");
  }
  for (const [id, rule] of ofKind("negative")) {
    if (resourcesOf(rule).length > managedNodes(world).length) {
      blame(id, "rule defines more resources than available nodes");
    }
  }
  const clashes = (rule: Rule, kind: string) => ofKind(kind).some(([, other]) => shared(rule, other) > 1);
  for (const [id] of ofKind("negative").filter(([, rule]) => clashes(rule, "positive"))) {
    blame(id, "rule shares two or more resources with a positive resource affinity rule");
  }
  for (const [id] of ofKind("positive").filter(([, rule]) => clashes(rule, "negative"))) {
    blame(id, "rule shares two or more resources with a negative resource affinity rule");
  }
  checkPriorities(nodeRules, pairs, blame);
  checkTogether(nodeRules, ofKind("positive"), blame);
  checkApart(nodeRules, ofKind("negative"), blame);
  return errors;
}

type Blame = (id: string, text: string) => void;

const shared = (a: Rule, b: Rule) => resourcesOf(a).filter((sid) => resourcesOf(b).includes(sid)).length;

/** Priorities must not draw services with a resource affinity to different nodes. */
function checkPriorities(nodeRules: [string, Rule][], pairs: [string, Rule][], blame: Blame): void {
  const isGraded = (rule: Rule) => new Set(nodesOf(rule).map(({ priority }) => priority)).size > 1;
  for (const [id, pair] of pairs) {
    const paired = nodeRules.filter(([, rule]) => shared(rule, pair) > 0);
    if (paired.some(([, rule]) => isGraded(rule))) {
      blame(id, "resources are in node affinity rules with multiple priorities");
      for (const [other] of paired) {
        blame(
          other,
          "resources are in a resource affinity rule and cannot be in a node affinity rule with multiple priorities",
        );
      }
    }
  }
}

/** Services with a positive affinity, over all rules that bind them, cannot be bound to nodes by different rules. */
function checkTogether(nodeRules: [string, Rule][], together: [string, Rule][], blame: Blame): void {
  for (const { ids, resources } of boundTogether(together)) {
    const paired = nodeRules.filter(([, rule]) => resourcesOf(rule).some((sid) => resources.has(sid)));
    if (paired.length < 2) {
      continue;
    }
    for (const id of ids) {
      blame(id, "resources are in multiple node affinity rules");
    }
    for (const [id] of paired) {
      blame(
        id,
        "at least one resource is in a positive resource affinity rule and there are other resources in at least one other node affinity rule already",
      );
    }
  }
}

/** Rules that share a resource, directly or over others, with all their resources. */
function boundTogether(rules: readonly [string, Rule][]): { ids: string[]; resources: Set<string> }[] {
  let groups: { ids: string[]; resources: Set<string> }[] = [];
  for (const [id, rule] of rules) {
    const resources = new Set(resourcesOf(rule));
    const touches = (group: { resources: Set<string> }) => [...resources].some((sid) => group.resources.has(sid));
    const joined = groups.filter(touches);
    const merged = new Set([...resources, ...joined.flatMap((group) => [...group.resources])]);
    const ids = [...joined.flatMap((group) => group.ids), id];
    groups = [...groups.filter((group) => !touches(group)), { ids, resources: merged }];
  }
  return groups;
}

/** Services that must be apart need as many nodes as they are, where rules bind them to nodes. */
function checkApart(nodeRules: [string, Rule][], apart: [string, Rule][], blame: Blame): void {
  for (const [id, pair] of apart) {
    const paired = nodeRules.filter(([, rule]) => shared(rule, pair) > 0);
    const allowed = new Set(paired.flatMap(([, rule]) => nodesOf(rule).map(({ node }) => node)));
    const located = resourcesOf(pair).filter((sid) => paired.some(([, rule]) => resourcesOf(rule).includes(sid)));
    if (allowed.size < located.length) {
      blame(id, "two or more resources are restricted to less nodes than available to the resources");
      for (const [other] of paired) {
        blame(
          other,
          "at least one resource is in a negative resource affinity rule and this rule would restrict these to less nodes than available to the resources",
        );
      }
    }
  }
}

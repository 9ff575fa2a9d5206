import type { HighAvailability } from "../core/world/ha.ts";
import type { World } from "../core/world/world.ts";
import { enabledRules, nodesOf, resourcesOf } from "./affinity.ts";
import { managedNodes } from "./manager-nodes.ts";

type Rule = HighAvailability["rules"][string];

/** Texts by rule and by the option that causes the error. */
export type RuleErrors = Record<string, Record<string, string[]>>;

/**
 * `check_feasibility` of pve-ha-manager `src/PVE/HA/Rules.pm`: the errors of the enabled rules. Checks among rules of
 * one type are complete; between the two types only those about priorities are simulated.
 */
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
  return errors;
}

const shared = (a: Rule, b: Rule) => resourcesOf(a).filter((sid) => resourcesOf(b).includes(sid)).length;

/** Priorities must not draw services with a resource affinity to different nodes. */
function checkPriorities(
  nodeRules: [string, Rule][],
  pairs: [string, Rule][],
  blame: (id: string, text: string) => void,
): void {
  const graded = nodeRules.filter(([, rule]) => new Set(nodesOf(rule).map(({ priority }) => priority)).size > 1);
  for (const [id] of graded.filter(([, rule]) => pairs.some(([, pair]) => shared(rule, pair) > 0))) {
    blame(
      id,
      "resources are in a resource affinity rule and cannot be in a node affinity rule with multiple priorities",
    );
  }
  for (const [id] of pairs.filter(([, pair]) => graded.some(([, rule]) => shared(rule, pair) > 0))) {
    blame(id, "resources are in node affinity rules with multiple priorities");
  }
}

/** Services with a positive affinity cannot be bound to nodes by different rules. */
function checkTogether(
  nodeRules: [string, Rule][],
  together: [string, Rule][],
  blame: (id: string, text: string) => void,
): void {
  const bound = (pair: Rule) => nodeRules.filter(([, rule]) => shared(rule, pair) > 0);
  for (const [id, rule] of nodeRules) {
    if (together.some(([, pair]) => shared(rule, pair) > 0 && bound(pair).length > 1)) {
      blame(
        id,
        "at least one resource is in a positive resource affinity rule and there are other resources in at least one other node affinity rule already",
      );
    }
  }
}

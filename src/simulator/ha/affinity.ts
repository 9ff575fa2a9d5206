import { splitList } from "../core/schema/format.ts";
import type { HighAvailability } from "../core/world/ha.ts";
import type { World } from "../core/world/world.ts";
import { parseHaNode } from "./formats.ts";

// The effect of HA rules: pve-ha-manager `src/PVE/HA/Rules/NodeAffinity.pm` and `ResourceAffinity.pm`.

type Rule = HighAvailability["rules"][string];

export const resourcesOf = ({ options }: Rule) => splitList(String(options["resources"] ?? ""));
export const nodesOf = ({ options }: Rule) => splitList(String(options["nodes"] ?? "")).map(parseHaNode);
const isEnabled = ({ options }: Rule) => options["disable"] === undefined;

export function enabledRules(world: World): [string, Rule][] {
  return Object.entries(world.ha.rules).filter(([, rule]) => isEnabled(rule));
}

/** Services that must be on the same node as this one, and those that must not. */
function companions(world: World, sid: string): { together: Set<string>; apart: Set<string> } {
  const together = new Set<string>();
  const apart = new Set<string>();
  for (const [, rule] of enabledRules(world)) {
    const resources = resourcesOf(rule);
    if (rule.type === "resource-affinity" && resources.includes(sid)) {
      const group = rule.options["affinity"] === "positive" ? together : apart;
      for (const other of resources.filter((resource) => resource !== sid)) {
        group.add(other);
      }
    }
  }
  return { together, apart };
}

/** `get_resource_motion_info`: the services that move along, and those on that node that prevent the move. */
export function motionOf(world: World, sid: string, node: string): { together: string[]; blocking: string[] } {
  const { together, apart } = companions(world, sid);
  const isManaged = (other: string) => world.ha.services[other] !== undefined;
  return {
    together: [...together].filter(isManaged).sort(),
    blocking: [...apart].filter((other) => isManaged(other) && world.ha.services[other]?.node === node).sort(),
  };
}

/** The nodes that a rule prefers: the named ones, or all others if it is negative. */
export function wantedNodes(world: World, rule: Rule): { node: string; priority: number }[] {
  const named = nodesOf(rule);
  if (rule.options["affinity"] !== "negative") {
    return named;
  }
  return Object.keys(world.nodes)
    .filter((name) => !named.some(({ node }) => node === name))
    .map((node) => ({ node, priority: 0 }));
}

/** The online nodes on which the service may run, best first. */
export function candidates(world: World, sid: string): string[] {
  const online = Object.values(world.nodes)
    .filter((node) => node.online)
    .map(({ name }) => name);
  const rule = enabledRules(world).find(
    ([, { type, ...rest }]) => type === "node-affinity" && resourcesOf({ type, ...rest }).includes(sid),
  )?.[1];
  const { apart, together } = companions(world, sid);
  const nodeOf = (other: string) => world.ha.services[other]?.node;
  const isFree = (name: string) => ![...apart].some((other) => nodeOf(other) === name);
  const hasFriends = (name: string) => [...together].some((other) => nodeOf(other) === name);
  const preferred = rule === undefined ? [] : wantedNodes(world, rule);
  const priority = (name: string) => preferred.find(({ node }) => node === name)?.priority ?? -1;
  const isStrict = rule?.options["strict"] === "1";
  return online
    .filter((name) => isFree(name) && (!isStrict || preferred.some(({ node }) => node === name)))
    .sort((a, b) => priority(b) - priority(a) || Number(hasFriends(b)) - Number(hasFriends(a)) || (a < b ? -1 : 1));
}

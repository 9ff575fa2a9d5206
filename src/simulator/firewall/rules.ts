import { type Call, endpoint } from "../kernel/endpoint.ts";
import { die } from "../kernel/failure.ts";
import { splitList } from "../schema/format.ts";
import { configIdListFormat } from "../schema/formats.ts";
import { integer, optional, string } from "../schema/schema.ts";
import { digest } from "../schema/standard-options.ts";
import type { FirewallFile, FirewallRule } from "../world/firewall.ts";
import type { World } from "../world/world.ts";
import { assertListDigest, changeFirewall, readFirewall, withDigest } from "./files.ts";
import { applyRule, describeRule, ruleAction, ruleOptions, ruleType, verifyRule } from "./rule.ts";
import type { Scope } from "./scopes.ts";

/** Where a list of rules is: the path below which it is served, and how to find it in its file. */
export interface RuleList {
  readonly scope: Scope;
  readonly path: string;
  readonly parameters: Scope["parameters"];
  rulesIn(file: FirewallFile, params: Record<string, unknown>): FirewallRule[];
}

/** Files whose sets and aliases a rule may name: its own, then the cluster's. */
function filesInReach(world: World, list: RuleList, own: FirewallFile): FirewallFile[] {
  return list.scope.environment === "cluster" || list.scope.environment === "group"
    ? [own]
    : [own, readFirewall(world, "cluster")];
}

function read({ world, params }: Pick<Call, "world" | "params">, list: RuleList): Record<string, unknown>[] {
  const file = readFirewall(world, list.scope.key(params));
  const files = filesInReach(world, list, file);
  const rules = list.rulesIn(file, params).map((rule) => describeRule(rule, files));
  return withDigest(rules).map((rule, pos) => ({ ...rule, pos }));
}

function change(
  call: Call,
  list: RuleList,
  body: (rules: FirewallRule[], files: FirewallFile[]) => void,
): Promise<null> {
  return changeFirewall(call, list.scope.key(call.params), (file) => {
    body(list.rulesIn(file, call.params), filesInReach(call.world, list, file));
  });
}

/** The rule at a position, with the digest of the list checked first. */
function pick(call: Call, rules: FirewallRule[], files: FirewallFile[]): { rule: FirewallRule; pos: number } {
  assertListDigest(
    rules.map((rule) => describeRule(rule, files)),
    call.params["digest"] as string | undefined,
  );
  const pos = Number(call.params["pos"]);
  return { rule: rules[pos] ?? die(`no rule at position ${pos}`), pos };
}

function move(rules: FirewallRule[], from: number, to: number): void {
  const [rule] = rules.splice(from, 1);
  if (rule !== undefined) {
    // The target counts in the list as it was before.
    rules.splice(to > from ? to - 1 : to, 0, rule);
  }
}

const pos = ruleOptions.pos;

function readEndpoints(list: RuleList) {
  const { scope, path, parameters } = list;
  const { proxyTo, read: mayRead } = scope;
  return [
    endpoint({
      ...proxyTo,
      method: "GET",
      path,
      permissions: mayRead,
      parameters,
      handler: (call) => read(call as Call, list),
    }),
    endpoint({
      ...proxyTo,
      method: "GET",
      path: `${path}/{pos}`,
      permissions: mayRead,
      parameters: { ...parameters, pos },
      // The position is the text of the path here, and a number in the list; the Go providers depend on it.
      handler: (call) => {
        const { pos: position = "" } = call.given;
        const rule = read(call as Call, list)[Number(position)] ?? die(`no rule at position ${position}`);
        return { ...rule, pos: position };
      },
    }),
  ];
}

function writeEndpoints(list: RuleList) {
  const { scope, path, parameters } = list;
  const { proxyTo, write: mayWrite } = scope;
  return [
    endpoint({
      ...proxyTo,
      method: "POST",
      path,
      protected: true,
      permissions: mayWrite,
      parameters: { ...parameters, ...ruleOptions, action: ruleAction, type: ruleType },
      handler: (call) =>
        change(call as Call, list, (rules, files) => {
          const rule = applyRule({}, call.given);
          verifyRule(rule, scope.environment, files);
          rules.unshift({ ...rule, enable: rule["enable"] ?? "0" });
        }),
    }),
    endpoint({
      ...proxyTo,
      method: "PUT",
      path: `${path}/{pos}`,
      protected: true,
      permissions: mayWrite,
      parameters: {
        ...parameters,
        ...ruleOptions,
        action: optional(ruleAction),
        type: optional(ruleType),
        moveto: integer({ optional: true, minimum: 0 }),
        delete: string({ optional: true, format: configIdListFormat }),
      },
      handler: (call) => {
        const { moveto, delete: deletions } = call.params as { moveto?: number; delete?: string };
        return change(call as Call, list, (rules, files) => {
          const { rule, pos: at } = pick(call as Call, rules, files);
          if (moveto !== undefined && moveto !== at) {
            move(rules, at, moveto);
            return;
          }
          const next = applyRule(rule, call.given);
          for (const name of splitList(deletions ?? "")) {
            delete next[name];
          }
          verifyRule(next, scope.environment, files);
          rules[at] = next;
        });
      },
    }),
    endpoint({
      ...proxyTo,
      method: "DELETE",
      path: `${path}/{pos}`,
      protected: true,
      permissions: mayWrite,
      parameters: { ...parameters, pos, digest },
      handler: (call) =>
        change(call as Call, list, (rules, files) => {
          rules.splice(pick(call as Call, rules, files).pos, 1);
        }),
    }),
  ];
}

/** pve-firewall `src/PVE/API2/Firewall/Rules.pm`. A new rule always comes first. */
export function ruleEndpoints(list: RuleList) {
  return [...readEndpoints(list), ...writeEndpoints(list)];
}

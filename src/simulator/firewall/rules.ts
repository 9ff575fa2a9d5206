import { type Call, endpoint } from "../core/kernel/endpoint.ts";
import { die } from "../core/kernel/failure.ts";
import { configIdListFormat } from "../core/schema/formats.ts";
import { integer, optional, string } from "../core/schema/schema.ts";
import { digest } from "../core/schema/standard-options.ts";
import type { FirewallFile, FirewallRule } from "../core/world/firewall.ts";
import type { World } from "../core/world/world.ts";
import { assertListDigest, changeFirewall, readFirewall, withDigest } from "./files.ts";
import { reachOf } from "./reach.ts";
import { applyRule, deleteFromRule, describeRule, ruleAction, ruleOptions, ruleType, verifyRule } from "./rule.ts";
import type { Scope } from "./scopes.ts";

/** A list of rules: its path, and its place in the file. */
export interface RuleList {
  readonly scope: Scope;
  readonly path: string;
  readonly parameters: Scope["parameters"];
  rulesIn(file: FirewallFile, params: Record<string, unknown>): FirewallRule[];
}

/** The readable rules, each as it is stored and as it is shown. */
function readable(world: World, list: RuleList, file: FirewallFile, params: Record<string, unknown>) {
  const { environment } = list.scope;
  const reach = reachOf(world, environment, file);
  return list.rulesIn(file, params).flatMap((stored) => {
    const shown = describeRule(stored, environment, reach);
    return shown === undefined ? [] : [{ stored, shown }];
  });
}

function read(call: Call, list: RuleList): Record<string, unknown>[] {
  list.scope.guard?.(call, "read");
  const file = readFirewall(call.world, list.scope.key(call.params));
  const rules = readable(call.world, list, file, call.params).map(({ shown }) => shown);
  return withDigest(rules).map((rule, pos) => ({ ...rule, pos }));
}

/** Changes the list under the lock of its file; the digest of the request is that of the list. */
function change(
  call: Call,
  list: RuleList,
  body: (rules: FirewallRule[], file: FirewallFile, checkDigest: () => void) => void,
): Promise<null> {
  list.scope.guard?.(call, "write");
  return changeFirewall(call, list.scope.key(call.params), (file) => {
    const found = readable(call.world, list, file, call.params);
    const rules = list.rulesIn(file, call.params);
    rules.splice(0, rules.length, ...found.map(({ stored }) => stored));
    body(rules, file, () =>
      assertListDigest(
        found.map(({ shown }) => shown),
        call.params["digest"] as string | undefined,
      ),
    );
  });
}

/** The rule at the position of the request. */
function pick(call: Call, rules: FirewallRule[]): { rule: FirewallRule; pos: number } {
  const pos = Number(call.params["pos"]);
  return { rule: rules[pos] ?? die(`no rule at position ${pos}`), pos };
}

function move(rules: FirewallRule[], from: number, to: number): void {
  const [rule] = rules.splice(from, 1);
  if (rule !== undefined) {
    // The target index refers to the list before the move.
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
      // The position is a text here, as in the path, and a number in the list; the Go providers depend on it.
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
        change(call as Call, list, (rules, file) => {
          const rule = applyRule({}, call.given);
          verifyRule(rule, scope.environment, reachOf(call.world, scope.environment, file, call.caller));
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
        return change(call as Call, list, (rules, file, checkDigest) => {
          checkDigest();
          const { rule, pos: at } = pick(call as Call, rules);
          if (moveto !== undefined && moveto !== at) {
            move(rules, at, moveto);
            return;
          }
          const next = applyRule(rule, call.given);
          deleteFromRule(next, deletions);
          verifyRule(next, scope.environment, reachOf(call.world, scope.environment, file, call.caller));
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
        change(call as Call, list, (rules, _, checkDigest) => {
          checkDigest();
          rules.splice(pick(call as Call, rules).pos, 1);
        }),
    }),
  ];
}

/** pve-firewall `src/PVE/API2/Firewall/Rules.pm`. A new rule is always inserted first. */
export function ruleEndpoints(list: RuleList) {
  return [...readEndpoints(list), ...writeEndpoints(list)];
}

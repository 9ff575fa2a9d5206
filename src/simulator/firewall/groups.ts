import { endpoint } from "../core/kernel/endpoint.ts";
import { die, paramError } from "../core/kernel/failure.ts";
import { string } from "../core/schema/schema.ts";
import { digest } from "../core/schema/standard-options.ts";
import type { FirewallFile, FirewallRule } from "../core/world/firewall.ts";
import type { World } from "../core/world/world.ts";
import {
  assertListDigest,
  changeFirewall,
  type FirewallKey,
  readFirewall,
  withDigest,
  writeFirewall,
} from "./files.ts";
import { ruleEndpoints } from "./rules.ts";
import { clusterScope } from "./scopes.ts";

// Security groups: lists of rules to which other rules refer; pve-firewall `src/PVE/API2/Firewall/Groups.pm`.

const group = string({ pattern: "[A-Za-z][A-Za-z0-9\\-\\_]+", minLength: 2, maxLength: 18 });

function listGroups({ groups }: FirewallFile): object[] {
  return Object.keys(groups)
    .sort()
    .map((name) => ({ group: name, ...(groups[name]?.comment && { comment: groups[name].comment }) }));
}

function getGroup({ groups }: FirewallFile, name: string): FirewallFile["groups"][string] {
  return groups[name] ?? die(`no such security group '${name}'`);
}

interface GroupParams {
  readonly group: string;
  readonly comment?: string | undefined;
  readonly rename?: string | undefined;
  readonly digest?: string | undefined;
}

function renameInRules(rules: FirewallRule[], old: string, name: string): void {
  for (const rule of rules) {
    if (rule["type"] === "group" && rule["action"] === old) {
      rule["action"] = name;
    }
  }
}

/** Rules of existing nodes and guests; vnets keep the old name. */
function renameElsewhere(world: World, old: string, name: string): void {
  const hosts = Object.keys(world.nodes).map((node): FirewallKey => `node/${node}`);
  const guests = Object.keys(world.guests).map((vmid): FirewallKey => `guest/${vmid}`);
  for (const key of [...hosts, ...guests]) {
    const file = structuredClone(readFirewall(world, key));
    renameInRules(file.rules, old, name);
    writeFirewall(world, key, file);
  }
}

/** `rename` is the old name; rules of the cluster, its nodes and guests that name the group are updated. */
function renameGroup(world: World, file: FirewallFile, params: GroupParams, old: string): void {
  assertListDigest(listGroups(file), params.digest);
  const existing = file.groups[old] ?? paramError({ group: `Security group '${old}' does not exist` });
  if (file.groups[params.group] !== undefined && params.group !== old) {
    paramError({ group: `Security group '${params.group}' does already exist` });
  }
  const renamed = { ...existing, ...(params.comment !== undefined && { comment: params.comment }) };
  file.groups[params.group] = renamed;
  if (params.group !== old) {
    renameElsewhere(world, old, params.group);
    renameInRules(file.rules, old, params.group);
    delete file.groups[old];
  }
}

function createGroup(file: FirewallFile, params: GroupParams): void {
  if (file.groups[params.group] !== undefined) {
    paramError({ group: `Security group '${params.group}' already exists` });
  }
  file.groups[params.group] = { rules: [], ...(params.comment !== undefined && { comment: params.comment }) };
}

const path = `${clusterScope.path}/groups`;

export const groupEndpoints = [
  endpoint({
    method: "GET",
    path,
    permissions: { user: "all" },
    parameters: {},
    handler: ({ world }) => withDigest(listGroups(readFirewall(world, "cluster"))),
  }),
  endpoint({
    method: "POST",
    path,
    protected: true,
    permissions: clusterScope.write,
    parameters: { group, comment: string({ optional: true }), digest, rename: { ...group, optional: true } },
    handler: (call) =>
      changeFirewall(call, "cluster", (file) => {
        const { rename } = call.params;
        if (rename === undefined) {
          createGroup(file, call.params);
        } else {
          renameGroup(call.world, file, call.params, rename);
        }
      }),
  }),
  endpoint({
    method: "DELETE",
    path: `${path}/{group}`,
    protected: true,
    permissions: clusterScope.write,
    parameters: { group },
    handler: (call) =>
      changeFirewall(call, "cluster", (file) => {
        if (getGroup(file, call.params.group).rules.length > 0) {
          die(`Security group '${call.params.group}' is not empty`);
        }
        delete file.groups[call.params.group];
      }),
  }),
  ...ruleEndpoints({
    scope: { ...clusterScope, environment: "group" },
    path: `${path}/{group}`,
    parameters: { group },
    rulesIn: (file, params) => getGroup(file, String(params["group"])).rules,
  }),
];

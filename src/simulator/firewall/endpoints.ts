import { endpoint } from "../core/kernel/endpoint.ts";
import { indexEndpoint } from "../core/kernel/index-endpoint.ts";
import { integer, string } from "../core/schema/schema.ts";
import type { FirewallFile } from "../core/world/firewall.ts";
import { aliasEndpoints } from "./aliases.ts";
import { readFirewall } from "./files.ts";
import { groupEndpoints } from "./groups.ts";
import { macros } from "./macros.ts";
import { firewallOptionEndpoints } from "./options.ts";
import { sdnSets } from "./reach.ts";
import { ruleEndpoints } from "./rules.ts";
import { clusterScope, containerScope, nodeScope, type Scope, vmScope, vnetScope } from "./scopes.ts";
import { setEndpoints } from "./sets.ts";

const index = (scope: Scope, names: readonly string[]) =>
  indexEndpoint(scope.path, "name", names, { parameters: scope.parameters });

const rules = (scope: Scope) =>
  ruleEndpoints({
    scope,
    path: `${scope.path}/rules`,
    parameters: scope.parameters,
    rulesIn: (file) => file.rules,
  });

const note = (comment: string | undefined) => (comment ? { comment } : {});

/** The objects to which a rule may refer, for the web interface's selectors. */
function references({ sets, aliases }: FirewallFile, scope: "dc" | "guest", type: string | undefined): object[] {
  return [
    ...(type === "alias" ? [] : Object.entries(sets)).map(([name, set]) => ({
      type: "ipset",
      name,
      ref: `+${name}`,
      scope,
      ...note(set.comment),
    })),
    ...(type === "ipset" ? [] : Object.entries(aliases)).map(([name, alias]) => ({
      type: "alias",
      name,
      ref: name,
      scope,
      ...note(alias.comment),
    })),
  ];
}

const refs = (scope: Scope) =>
  endpoint({
    method: "GET",
    path: `${scope.path}/refs`,
    permissions: scope.read,
    parameters: { ...scope.parameters, type: string({ optional: true, enum: ["alias", "ipset"] }) },
    handler: (call) => {
      const { type } = call.params as { type?: string };
      const own =
        scope === clusterScope ? [] : references(readFirewall(call.world, scope.key(call.params)), "guest", type);
      const sdn = type === "alias" ? [] : sdnSets(call.world, call.caller);
      return [
        ...sdn.map(({ name, comment }) => ({ type: "ipset", name, ref: `+${name}`, scope: "sdn", ...note(comment) })),
        ...references(readFirewall(call.world, "cluster"), "dc", type),
        ...own,
      ];
    },
  });

/** No packet passes a simulated firewall, so there is no log file. */
const log = (scope: Scope, permission: "VM.Console" | "Sys.Syslog") =>
  endpoint({
    method: "GET",
    path: `${scope.path}/log`,
    protected: true,
    proxyTo: "node",
    permissions: {
      check: ["perm", permission === "Sys.Syslog" ? "/nodes/{node}" : "/vms/{vmid}", [permission]],
    },
    parameters: {
      ...scope.parameters,
      limit: integer({ optional: true, minimum: 0 }),
      since: integer({ optional: true, minimum: 0 }),
      start: integer({ optional: true, minimum: 0 }),
      until: integer({ optional: true, minimum: 0 }),
    },
    handler: (call) => {
      const { since, until } = call.params as { since?: number; until?: number };
      const isSearch = since !== undefined || until !== undefined;
      call.envelope["total"] = isSearch ? 0 : 1;
      return isSearch ? [] : [{ n: 1, t: "unable to open file - No such file or directory" }];
    },
  });

const guest = (scope: Scope) => [
  index(scope, ["rules", "aliases", "ipset", "refs", "options"]),
  ...rules(scope),
  ...aliasEndpoints(scope),
  ...setEndpoints(scope),
  refs(scope),
  log(scope, "VM.Console"),
];

/** pve-firewall `src/PVE/API2/Firewall/*.pm`. */
export const firewallEndpoints = [
  index(clusterScope, ["aliases", "rules", "options", "groups", "ipset", "macros", "refs"]),
  ...rules(clusterScope),
  ...aliasEndpoints(clusterScope),
  ...setEndpoints(clusterScope),
  ...groupEndpoints,
  refs(clusterScope),
  endpoint({
    method: "GET",
    path: "/cluster/firewall/macros",
    permissions: { user: "all" },
    parameters: {},
    handler: () => macros.map(({ name, description }) => ({ macro: name, descr: description })),
  }),
  index(nodeScope, ["rules", "options", "log"]),
  ...rules(nodeScope),
  log(nodeScope, "Sys.Syslog"),
  ...guest(vmScope),
  ...guest(containerScope),
  // Without a permission entry only root@pam may call it.
  endpoint({
    method: "GET",
    path: vnetScope.path,
    parameters: vnetScope.parameters,
    handler: () => ["rules", "options"].map((name) => ({ name })),
  }),
  ...rules(vnetScope),
  ...firewallOptionEndpoints,
];

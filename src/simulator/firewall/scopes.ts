import type { Caller } from "../core/access/caller.ts";
import type { Privilege } from "../core/access/privileges.ts";
import type { Call } from "../core/kernel/endpoint.ts";
import { die } from "../core/kernel/failure.ts";
import type { Permissions } from "../core/kernel/permission.ts";
import type { Properties } from "../core/schema/schema.ts";
import { node, vmid } from "../core/schema/standard-options.ts";
import type { World } from "../core/world/world.ts";
import { vnetId } from "../sdn/formats.ts";
import type { FirewallKey } from "./files.ts";

/** The place of rules, which decides their possible types. */
export type Environment = "cluster" | "host" | "vm" | "ct" | "group" | "vnet";

/** One of the places in the API that have a firewall. */
export interface Scope {
  readonly environment: Environment;
  readonly path: string;
  readonly parameters: Properties;
  /** Calls run on the node in the path. */
  readonly proxyTo: { readonly proxyTo?: "node" };
  readonly read: Permissions;
  readonly write: Permissions;
  key(params: Record<string, unknown>): FirewallKey;
  /** Privileges that depend on the object in the path. */
  guard?(call: Pick<Call, "world" | "caller" | "params">, access: "read" | "write"): void;
}

export const clusterScope: Scope = {
  environment: "cluster",
  path: "/cluster/firewall",
  parameters: {},
  proxyTo: {},
  read: { check: ["perm", "/", ["Sys.Audit"]] },
  write: { check: ["perm", "/", ["Sys.Modify"]] },
  key: () => "cluster",
};

export const nodeScope: Scope = {
  environment: "host",
  path: "/nodes/{node}/firewall",
  parameters: { node },
  proxyTo: { proxyTo: "node" },
  read: { check: ["perm", "/nodes/{node}", ["Sys.Audit"]] },
  write: { check: ["perm", "/nodes/{node}", ["Sys.Modify"]] },
  key: (params) => `node/${params["node"]}`,
};

const guestScope = (environment: "vm" | "ct", directory: string): Scope => ({
  environment,
  path: `/nodes/{node}/${directory}/{vmid}/firewall`,
  parameters: { node, vmid },
  proxyTo: {},
  read: { check: ["perm", "/vms/{vmid}", ["VM.Audit"]] },
  write: { check: ["perm", "/vms/{vmid}", ["VM.Config.Network"]] },
  key: (params) => `guest/${params["vmid"]}`,
});

export const vmScope = guestScope("vm", "qemu");
export const containerScope = guestScope("ct", "lxc");

/** `check_vnet_access` of pve-firewall `src/PVE/API2/Firewall/Helpers.pm`: only applied vnets have a firewall. */
export function checkRunningVnet(world: World, caller: Caller, vnet: string, privileges: readonly Privilege[]): void {
  const section =
    world.sdn.running.vnets[vnet] ??
    die("invalid vnet specified at /usr/share/perl5/PVE/API2/Firewall/Helpers.pm line 54.");
  caller.checkAny(`/sdn/zones/${section.options["zone"]}/${vnet}`, privileges);
}

export const vnetScope: Scope = {
  environment: "vnet",
  path: "/cluster/sdn/vnets/{vnet}/firewall",
  parameters: { vnet: vnetId },
  proxyTo: {},
  read: { user: "all" },
  write: { user: "all" },
  key: (params) => `vnet/${params["vnet"]}`,
  guard: ({ world, caller, params }, access) =>
    checkRunningVnet(
      world,
      caller,
      String(params["vnet"]),
      access === "read" ? ["SDN.Audit", "SDN.Allocate"] : ["SDN.Allocate"],
    ),
};

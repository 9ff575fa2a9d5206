import type { Permissions } from "../kernel/permission.ts";
import type { Properties } from "../schema/schema.ts";
import { node, vmid } from "../schema/standard-options.ts";
import type { FirewallKey } from "./files.ts";

/** Where rules apply; decides which types of rules are possible. */
export type Environment = "cluster" | "host" | "vm" | "ct" | "group";

/** One of the places in the API that have a firewall. */
export interface Scope {
  readonly environment: Environment;
  readonly path: string;
  readonly parameters: Properties;
  /** Calls are forwarded to the node in the path. */
  readonly proxyTo: { readonly proxyTo?: "node" };
  readonly read: Permissions;
  readonly write: Permissions;
  key(params: Record<string, unknown>): FirewallKey;
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

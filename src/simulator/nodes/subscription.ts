import { createHash } from "node:crypto";
import { endpoint } from "../core/kernel/endpoint.ts";
import { boolean, string } from "../core/schema/schema.ts";
import { node } from "../core/schema/standard-options.ts";
import { getNode } from "../core/world/node.ts";

const mayWrite = { check: ["perm", "/nodes/{node}", ["Sys.Modify"]] } as const;
const url = "https://www.proxmox.com/en/proxmox-virtual-environment/pricing";

/** pve-manager `PVE/API2/Subscription.pm`. Every key counts as active, without a check at the shop. */
export const subscriptionEndpoints = [
  endpoint({
    method: "GET",
    path: "/nodes/{node}/subscription",
    proxyTo: "node",
    permissions: { user: "all" },
    parameters: { node },
    handler: ({ world, caller, node: here }) => {
      const { subscriptionKey: key } = getNode(world, here);
      const isPrivileged = caller.has(`/nodes/${here}`, ["Sys.Audit"]);
      const serverid = createHash("md5").update(here).digest("hex").toUpperCase();
      const status =
        key === undefined ? { status: "notfound", message: "There is no subscription key" } : { status: "active" };
      return { ...status, url, ...(isPrivileged ? { serverid, ...(key === undefined ? {} : { key }) } : {}) };
    },
  }),
  endpoint({
    method: "PUT",
    path: "/nodes/{node}/subscription",
    protected: true,
    proxyTo: "node",
    permissions: mayWrite,
    parameters: { node, key: string({ maxLength: 32, pattern: "\\s*pve([1248])([cbsp])-(arm-)?[0-9a-f]{10}\\s*" }) },
    handler: ({ world, params, node: here }) => {
      getNode(world, here).subscriptionKey = params.key.trim();
      return null;
    },
  }),
  endpoint({
    method: "POST",
    path: "/nodes/{node}/subscription",
    protected: true,
    proxyTo: "node",
    permissions: mayWrite,
    parameters: { node, force: boolean({ optional: true }) },
    handler: () => null,
  }),
  endpoint({
    method: "DELETE",
    path: "/nodes/{node}/subscription",
    protected: true,
    proxyTo: "node",
    permissions: mayWrite,
    parameters: { node },
    handler: ({ world, node: here }) => {
      delete getNode(world, here).subscriptionKey;
      return null;
    },
  }),
];

import type { Privilege } from "../access/privileges.ts";

// The common part of most endpoints of a node and its guests: pvedaemon of that node serves them.

/** Requires all of the privileges on the guest. */
export const onGuest = (...privileges: Privilege[]) =>
  ({ protected: true, proxyTo: "node", permissions: { check: ["perm", "/vms/{vmid}", privileges] } }) as const;

/** Requires all of the privileges on the node. */
export const onNode = (...privileges: Privilege[]) =>
  ({ protected: true, proxyTo: "node", permissions: { check: ["perm", "/nodes/{node}", privileges] } }) as const;

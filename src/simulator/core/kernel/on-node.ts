import type { Privilege } from "../access/privileges.ts";

// What most endpoints below a node or one of its guests have in common: pvedaemon of that node serves them.

/** Needs all of the privileges on the guest. */
export const onGuest = (...privileges: Privilege[]) =>
  ({ protected: true, proxyTo: "node", permissions: { check: ["perm", "/vms/{vmid}", privileges] } }) as const;

/** Needs all of the privileges on the node. */
export const onNode = (...privileges: Privilege[]) =>
  ({ protected: true, proxyTo: "node", permissions: { check: ["perm", "/nodes/{node}", privileges] } }) as const;

import * as z from "zod";
import type { Api, CallOptions } from "./api.ts";
import { orNull } from "./errors.ts";
import type { Parameters } from "./transport/call.ts";
import { apiObject, flag, nothing, unordered, upid } from "./wire.ts";

const networkInterface = apiObject(() => ({
  iface: z.string().optional(),
  type: z.string(),
  active: flag.optional(),
  autostart: flag.optional(),
  bridge_vlan_aware: flag.optional(),
  /** The same of a vnet. */
  vlanaware: flag.optional(),
  cidr: z.string().optional(),
  cidr6: z.string().optional(),
  comments: z.string().nullish(),
}));

/** Zone and more are visible to callers that may audit the vnet. */
const vnet = apiObject(() => ({ vnet: z.string(), zone: z.string().optional() }));

export type NetworkInterface = z.infer<typeof networkInterface>;

export type InterfaceKind =
  | "bridge"
  | "bond"
  | "eth"
  | "vlan"
  | "OVSBridge"
  | "any_bridge"
  | "any_local_bridge"
  | "vnet";

/** `/nodes/{node}/network` (pve-manager: PVE/API2/Network.pm). Changes are staged until `apply`. */
export function networkCalls(api: Api) {
  return {
    /** Bridges that the caller may neither audit nor use are missing without an error. */
    list: (node: string, type?: InterfaceKind, options?: CallOptions) =>
      api.get("/nodes/{node}/network", { node, type }, unordered(networkInterface, "iface"), options),
    /** All interfaces with what is staged, and the diff of the file if anything is. */
    listStaged: async (node: string, options?: CallOptions) => {
      const { data, changes } = await api.page(
        "/nodes/{node}/network",
        { node },
        unordered(networkInterface, "iface"),
        options,
      );
      return { interfaces: data, changes };
    },
    get: (node: string, iface: string, options?: CallOptions) =>
      api.get("/nodes/{node}/network/{iface}", { node, iface }, networkInterface, options),
    find: (node: string, iface: string, options?: CallOptions) =>
      orNull(api.get("/nodes/{node}/network/{iface}", { node, iface }, networkInterface, options)),
    create: (
      node: string,
      iface: Parameters & { readonly iface: string; readonly type: string },
      options?: CallOptions,
    ) => api.post("/nodes/{node}/network", { ...iface, node }, nothing, options),
    update: (node: string, iface: string, change: Parameters & { readonly type: string }, options?: CallOptions) =>
      api.put("/nodes/{node}/network/{iface}", { ...change, node, iface }, nothing, options),
    remove: (node: string, iface: string, options?: CallOptions) =>
      api.delete("/nodes/{node}/network/{iface}", { node, iface }, nothing, options),
    apply: (node: string, options?: CallOptions) => api.put("/nodes/{node}/network", { node }, upid, options),
    /** Vnets in use, without those that wait to be applied (pve-network: src/PVE/API2/Network/SDN/Vnets.pm). */
    listVnets: (options?: CallOptions) => api.get("/cluster/sdn/vnets", { running: true }, z.array(vnet), options),
    discard: (node: string, options?: CallOptions) => api.delete("/nodes/{node}/network", { node }, nothing, options),
  };
}

export type NetworkCalls = ReturnType<typeof networkCalls>;

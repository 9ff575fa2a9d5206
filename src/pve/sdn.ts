import * as z from "zod";
import type { Api, CallOptions } from "./api.ts";
import type { SdnLock } from "./guard/sdn-lock.ts";
import type { Parameters } from "./transport/call.ts";
import { apiObject, flag, nothing, unordered, upid } from "./wire.ts";

/**
 * An object with its change that waits: running values at the top, edited ones in `pending`, where `deleted` stands for an
 * option that was removed. Without a change there is neither `pending` nor `state`.
 */
const pendingObject = apiObject(() => ({
  state: z.enum(["new", "changed", "deleted"]).nullish().catch("changed"),
  pending: z.looseObject({}).nullish(),
}));

const fabrics = apiObject(() => ({ fabrics: z.array(pendingObject), nodes: z.array(pendingObject) }));

const dryRun = apiObject(() => ({ "interfaces-diff": z.string().nullish(), "frr-diff": z.string().nullish() }));

const zoneStatus = apiObject(() => ({ zone: z.string(), status: z.string() }));

const vnetStatus = apiObject(() => ({
  vnet: z.string(),
  status: z.string().nullish(),
  statusmsg: z.string().nullish(),
}));

/** An address in PVE's own IPAM. That of a gateway has no MAC address. */
const address = apiObject(() => ({
  ip: z.string(),
  vnet: z.string(),
  zone: z.string(),
  mac: z.string().nullish(),
  gateway: flag.nullish(),
}));

interface NewAddress {
  readonly zone: string;
  readonly vnet: string;
  readonly ip: string;
  readonly mac: string;
}

const collectionName = apiObject(() => ({ id: z.string() }));

/** Without it, PVE lists the names of prefix lists only. */
const wholeObjects = (collection: string): Parameters =>
  collection === "/cluster/sdn/prefix-lists" ? { verbose: true } : {};

export type PendingObject = z.infer<typeof pendingObject>;

/** `/cluster/sdn` (pve-network: src/PVE/API2/Network/SDN.pm). Changes are staged until `apply`. */
export function sdnCalls(api: Api, lock: SdnLock) {
  return {
    /** The lock of the SDN as this client holds it: its writes carry the token. */
    held: lock,

    /** A collection such as `/cluster/sdn/zones` as it is edited, compared with what runs. */
    listPending: (collection: string, places: Parameters, options?: CallOptions) =>
      api.get(collection, { ...places, ...wholeObjects(collection), pending: true }, z.array(pendingObject), options),

    /** Collections of the SDN, those of later versions included. */
    listCollections: (options?: CallOptions) => api.get("/cluster/sdn", {}, z.array(collectionName), options),

    /** Fabrics and their nodes, compared with what runs. */
    listFabrics: (options?: CallOptions) => api.get("/cluster/sdn/fabrics/all", { pending: true }, fabrics, options),

    /** Addresses of all zones with DHCP in PVE's own IPAM (pve-network: src/PVE/API2/Network/SDN/Ipams.pm). */
    listAddresses: (options?: CallOptions) =>
      api.get("/cluster/sdn/ipams/{ipam}/status", { ipam: "pve" }, unordered(address, "ip"), options),

    /** Takes effect at once (pve-network: src/PVE/API2/Network/SDN/Ips.pm). */
    addAddress: (one: NewAddress, options?: CallOptions) =>
      api.post("/cluster/sdn/vnets/{vnet}/ips", { ...one }, nothing, options),

    removeAddress: (one: NewAddress, options?: CallOptions) =>
      api.delete("/cluster/sdn/vnets/{vnet}/ips", { ...one }, nothing, options),

    /** Returns the token that every write then requires. */
    lock: (options?: CallOptions) => api.post("/cluster/sdn/lock", { "allow-pending": true }, z.string(), options),

    unlock: (how: { readonly token: string } | { readonly force: true }, options?: CallOptions) =>
      api.delete("/cluster/sdn/lock", "token" in how ? { "lock-token": how.token } : { force: true }, nothing, {
        ...options,
        isRepeatable: true,
      }),

    /** Puts all that is staged into effect; the task reloads one node after the other. The lock is released. */
    apply: (token: string, options?: CallOptions) =>
      api.put("/cluster/sdn", { "lock-token": token, "release-lock": true }, upid, options),

    /** Drops all that is staged, and releases the lock. */
    rollback: (token: string, options?: CallOptions) =>
      api.post("/cluster/sdn/rollback", { "lock-token": token, "release-lock": true }, nothing, options),

    /** What an apply would change in the files of a node. */
    dryRun: (node: string, options?: CallOptions) => api.get("/cluster/sdn/dry-run", { node }, dryRun, options),

    /** Zones on a node: `available`, `pending` until the node is reloaded, or `error`. */
    listZoneStatus: (node: string, options?: CallOptions) =>
      api.get("/nodes/{node}/sdn/zones", { node }, z.array(zoneStatus), options),

    listVnetStatus: (node: string, zone: string, options?: CallOptions) =>
      api.get("/nodes/{node}/sdn/zones/{zone}/content", { node, zone }, z.array(vnetStatus), options),
  };
}

export type SdnCalls = ReturnType<typeof sdnCalls>;

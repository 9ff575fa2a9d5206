import * as z from "zod";
import type { Api, CallOptions } from "./api.ts";
import {
  apiObject,
  flag,
  integer,
  listOfTypes,
  number,
  sortedBy,
  text,
  unordered,
  unorderedWords,
  withGivenName,
  words,
} from "./wire.ts";

/** Existence, node, lock, tags and pool are immediate; name, status and template lag by up to 14 s (pvestatd). */
const guest = z
  .looseObject({
    type: z.enum(["qemu", "lxc"]),
    vmid: integer,
    node: z.string(),
    status: z.string(),
    /** Missing until the first broadcast after the guest was created. */
    name: text.optional(),
    template: flag.optional(),
    pool: z.string().optional(),
    lock: z.string().optional(),
    tags: words.optional(),
    hastate: z.string().optional(),
  })
  .transform(withGivenName);

/** Figures are visible with Sys.Audit on the node. */
const node = apiObject(() => ({
  type: z.literal("node"),
  node: z.string(),
  /** `online`, `offline` or `unknown`. */
  status: z.string(),
  maxcpu: number.optional(),
  maxmem: number.optional(),
  mem: number.optional(),
  uptime: number.optional(),
}));

const storage = apiObject(() => ({
  type: z.literal("storage"),
  storage: z.string(),
  node: z.string(),
  status: z.string(),
  plugintype: z.string().optional(),
  content: unorderedWords.optional(),
  shared: flag.optional(),
  disk: number.optional(),
  maxdisk: number.optional(),
}));

const pool = apiObject(() => ({ type: z.literal("pool"), pool: z.string() }));

/** SDN zones, fabrics, and types that later versions add. */
const other = apiObject(() => ({ type: z.string(), id: z.string().optional() }));

const resource = z.union([guest, node, storage, pool, other]);

export type GuestResource = z.infer<typeof guest>;
export type NodeResource = z.infer<typeof node>;
export type StorageResource = z.infer<typeof storage>;

const memberTypes = ["cluster", "node"] as const;

const member = apiObject(() => ({
  type: z.enum(memberTypes),
  name: z.string(),
  /** The address of the node's name. */
  ip: z.string().optional(),
  online: flag.optional(),
  local: flag.optional(),
  quorate: flag.optional(),
}));

const version = apiObject(() => ({ version: z.string(), release: z.string(), repoid: z.string().optional() }));

export type ClusterMember = z.infer<typeof member>;
export type PveVersion = z.infer<typeof version>;

/** `/cluster` and `/version` (pve-manager: PVE/API2/Cluster.pm). */
export function clusterCalls(api: Api) {
  return {
    getVersion: (options?: CallOptions) => api.get("/version", {}, version, options),

    /** The description of the host's own API, as the script of its API viewer. It is text: it must never be run. */
    getDescription: (options?: CallOptions) => api.file("/pve-docs/api-viewer/apidoc.js", options),

    /** All resources that the caller may see; the others are missing without an error. */
    listResources: (options?: CallOptions) => {
      const resources = unordered(resource, "type", "vmid", "storage", "node", "pool");
      return api.get("/cluster/resources", {}, resources, options);
    },

    /** The first free id. It is not reserved: two simultaneous callers get the same one. */
    nextId: (options?: CallOptions) => api.get("/cluster/nextid", {}, integer, options),

    /** Whether that id is free, counting guests that the caller cannot see; `exists` when it is not. */
    checkId: (vmid: number, options?: CallOptions) => api.get("/cluster/nextid", { vmid }, integer, options),

    listMembers: (options?: CallOptions) =>
      api.get("/cluster/status", {}, listOfTypes(memberTypes, member).transform(sortedBy("type", "name")), options),

    /** Datacenter options: `tag-style`, `mac_prefix`, `next-id` … */
    getOptions: (options?: CallOptions) => api.get("/cluster/options", {}, z.record(z.string(), z.unknown()), options),
  };
}

export type ClusterCalls = ReturnType<typeof clusterCalls>;

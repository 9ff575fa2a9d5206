import * as z from "zod";
import type { Api, CallOptions } from "./api.ts";
import { orNull, PveError } from "./errors.ts";
import type { Parameters } from "./transport/call.ts";
import { apiObject, integer, nothing } from "./wire.ts";

const listed = apiObject(() => ({ poolid: z.string(), comment: z.string().optional() }));

const pool = apiObject(() => ({
  poolid: z.string().optional(),
  comment: z.string().optional(),
  members: z.array(z.looseObject({ type: z.string(), vmid: integer.optional(), storage: z.string().optional() })),
}));

export type ListedPool = z.infer<typeof listed>;
export type Pool = z.infer<typeof pool>;

/** `/pools` (pve-manager: PVE/API2/Pool.pm), by parameter: the path form cannot name a pool inside another. */
export function poolCalls(api: Api) {
  const get = async (poolid: string, options?: CallOptions): Promise<Pool> => {
    const [found] = await api.get("/pools", { poolid }, z.array(pool), options);
    if (found === undefined) {
      throw new PveError("not_found", `pool '${poolid}' does not exist`, { method: "GET", path: "/pools" });
    }
    return found;
  };
  return {
    list: (options?: CallOptions) => api.get("/pools", {}, z.array(listed), options),
    get,
    find: (poolid: string, options?: CallOptions) => orNull(get(poolid, options)),
    create: (poolid: string, given: { readonly comment?: string } = {}, options?: CallOptions) =>
      api.post("/pools", { ...given, poolid }, nothing, options),
    /** `vms` and `storage` are added, or removed with `delete`; `allow-move` takes a VM from another pool. */
    update: (
      poolid: string,
      change: Parameters & {
        readonly vms?: readonly number[];
        readonly storage?: readonly string[];
        readonly comment?: string;
        readonly delete?: boolean;
        readonly "allow-move"?: boolean;
      },
      options?: CallOptions,
    ) => api.put("/pools", { ...change, poolid }, nothing, options),
    remove: (poolid: string, options?: CallOptions) =>
      orNull(api.delete("/pools", { poolid }, nothing, { ...options, isRepeatable: true })),
  };
}

export type PoolCalls = ReturnType<typeof poolCalls>;

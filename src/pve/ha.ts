import * as z from "zod";
import type { Api, CallOptions } from "./api.ts";
import { orNull } from "./errors.ts";
import type { Parameters } from "./transport/call.ts";
import { flag, integer, nothing } from "./wire.ts";

const resource = z.looseObject({
  /** `vm:100` or `ct:100` */
  sid: z.string(),
  type: z.string().optional(),
  state: z.string().optional(),
  max_restart: integer.optional(),
  max_relocate: integer.optional(),
  failback: flag.optional(),
  comment: z.string().optional(),
  digest: z.string().optional(),
});

export type HaResource = z.infer<typeof resource>;

/** `/cluster/ha/resources` (pve-ha-manager: src/PVE/API2/HA/Resources.pm). Groups are gone in PVE 9, rules stay. */
export function haCalls(api: Api) {
  return {
    list: (options?: CallOptions) => api.get("/cluster/ha/resources", {}, z.array(resource), options),
    get: (sid: string, options?: CallOptions) => api.get("/cluster/ha/resources/{sid}", { sid }, resource, options),
    find: (sid: string, options?: CallOptions) =>
      orNull(api.get("/cluster/ha/resources/{sid}", { sid }, resource, options)),
    create: (given: Parameters & { readonly sid: string; readonly state?: string }, options?: CallOptions) =>
      api.post("/cluster/ha/resources", given, nothing, options),
    update: (sid: string, change: Parameters, options?: CallOptions) =>
      api.put("/cluster/ha/resources/{sid}", { ...change, sid }, nothing, options),
    remove: (sid: string, options?: CallOptions) =>
      api.delete("/cluster/ha/resources/{sid}", { sid }, nothing, options),
  };
}

export type HaCalls = ReturnType<typeof haCalls>;

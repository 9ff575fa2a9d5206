import * as z from "zod";
import type { Api, CallOptions } from "./api.ts";
import { orNull } from "./errors.ts";
import type { Parameters } from "./transport/call.ts";
import { apiObject, flag, integer, nothing, unordered, words } from "./wire.ts";

const resource = apiObject(() => ({
  /** `vm:100` or `ct:100` */
  sid: z.string(),
  type: z.string().optional(),
  state: z.string().optional(),
  max_restart: integer.optional(),
  max_relocate: integer.optional(),
  failback: flag.optional(),
  comment: z.string().optional(),
  digest: z.string().optional(),
}));

const rule = apiObject(() => ({
  rule: z.string(),
  type: z.string(),
  resources: words.optional(),
  /** `pve1:2`: a node and its priority, by default 0. */
  nodes: words.optional(),
  strict: flag.optional(),
  affinity: z.string().optional(),
  disable: flag.optional(),
  comment: z.string().optional(),
  digest: z.string().optional(),
}));

export type HaResource = z.infer<typeof resource>;
export type HaRule = z.infer<typeof rule>;

/** `/cluster/ha/rules` (pve-ha-manager: src/PVE/API2/HA/Rules.pm). PVE requires the type with every change. */
function ruleCalls(api: Api) {
  type Given = Parameters & { readonly type: string };
  return {
    list: (options?: CallOptions) => api.get("/cluster/ha/rules", {}, unordered(rule, "rule"), options),
    find: (name: string, options?: CallOptions) =>
      orNull(api.get("/cluster/ha/rules/{rule}", { rule: name }, rule, options)),
    create: (name: string, given: Given, options?: CallOptions) =>
      api.post("/cluster/ha/rules", { ...given, rule: name }, nothing, options),
    update: (name: string, change: Given, options?: CallOptions) =>
      api.put("/cluster/ha/rules/{rule}", { ...change, rule: name }, nothing, options),
    remove: (name: string, options?: CallOptions) =>
      api.delete("/cluster/ha/rules/{rule}", { rule: name }, nothing, options),
  };
}

/** `/cluster/ha/resources` (pve-ha-manager: src/PVE/API2/HA/Resources.pm). PVE 9 has no groups, only rules. */
export function haCalls(api: Api) {
  return {
    rules: ruleCalls(api),
    list: (options?: CallOptions) => api.get("/cluster/ha/resources", {}, unordered(resource, "sid"), options),
    get: (sid: string, options?: CallOptions) => api.get("/cluster/ha/resources/{sid}", { sid }, resource, options),
    find: (sid: string, options?: CallOptions) =>
      orNull(api.get("/cluster/ha/resources/{sid}", { sid }, resource, options)),
    create: (given: Parameters & { readonly sid: string; readonly state?: string }, options?: CallOptions) =>
      api.post("/cluster/ha/resources", given, nothing, options),
    update: (sid: string, change: Parameters, options?: CallOptions) =>
      api.put("/cluster/ha/resources/{sid}", { ...change, sid }, nothing, options),
    /** PVE takes it out of all rules, and removes rules that become empty, unless `purge` is false. */
    remove: (sid: string, given: { readonly purge?: boolean } = {}, options?: CallOptions) =>
      api.delete("/cluster/ha/resources/{sid}", { ...given, sid }, nothing, options),
  };
}

export type HaCalls = ReturnType<typeof haCalls>;

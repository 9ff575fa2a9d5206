import * as z from "zod";
import type { Api, CallOptions } from "./api.ts";
import { orNull } from "./errors.ts";
import { apiObject, flag, integer, nothing, number, text } from "./wire.ts";

const job = apiObject(() => ({
  id: text,
  guest: integer,
  target: z.string(),
  disable: flag.optional(),
  remove_job: z.string().optional(),
}));

/** A job as the node of its guest sees it. */
const status = apiObject(() => ({
  id: text,
  last_sync: integer.optional(),
  last_try: integer.optional(),
  fail_count: integer.optional(),
  duration: number.optional(),
  error: z.string().optional(),
}));

const logLine = apiObject(() => ({ t: z.string() }));

/** `/cluster/replication` and `/nodes/{node}/replication` (pve-manager: PVE/API2/Replication*.pm). */
export function replicationCalls(api: Api) {
  return {
    list: (options?: CallOptions) => api.get("/cluster/replication", {}, z.array(job), options),
    find: (id: string, options?: CallOptions) => orNull(api.get("/cluster/replication/{id}", { id }, job, options)),

    /** Marks it only: the scheduler of the guest's node removes it later, with the copies unless they are kept. */
    remove: (id: string, request: { readonly keep?: boolean } = {}, options?: CallOptions) =>
      orNull(api.delete("/cluster/replication/{id}", { ...request, id }, nothing, { ...options, isRepeatable: true })),

    status: (node: string, id: string, options?: CallOptions) =>
      orNull(api.get("/nodes/{node}/replication/{id}/status", { node, id }, status, options)),

    /** The last run only. */
    log: (node: string, id: string, options?: CallOptions) =>
      api.get("/nodes/{node}/replication/{id}/log", { node, id, limit: 500 }, z.array(logLine), options),

    /** The scheduler begins with it within a minute. */
    runNow: (node: string, id: string, options?: CallOptions) =>
      api.post("/nodes/{node}/replication/{id}/schedule_now", { node, id }, z.unknown(), options),
  };
}

export type ReplicationCalls = ReturnType<typeof replicationCalls>;

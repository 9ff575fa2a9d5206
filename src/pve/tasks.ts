import * as z from "zod";
import type { Api, CallOptions } from "./api.ts";
import { parseUpid } from "./upid.ts";
import { apiObject, integer, nothing, text } from "./wire.ts";

/**
 * A task in a node's list. A running one has `status: "RUNNING"` and no end; for a finished one `status` has the value
 * of `exitstatus` in its own status.
 */
const listed = apiObject(() => ({
  upid: z.string(),
  node: z.string(),
  type: z.string(),
  id: text.optional(),
  user: z.string(),
  starttime: integer,
  endtime: integer.optional(),
  status: z.string().optional(),
}));

const status = apiObject(() => ({
  upid: z.string(),
  /** A state that a later release adds is not the end of the task. */
  status: z.string().transform((state): "running" | "stopped" => (state === "stopped" ? state : "running")),
  exitstatus: z.string().optional(),
}));

const logLine = apiObject(() => ({ n: integer, t: z.string() }));

export type ListedTask = z.infer<typeof listed>;
export type TaskStatus = z.infer<typeof status>;

export interface TaskFilter {
  readonly source?: "archive" | "active" | "all";
  /** Unix seconds; compared with the start of a task. */
  readonly since?: number;
  readonly limit?: number;
  readonly vmid?: number;
  readonly typefilter?: string;
}

/** `/nodes/{node}/tasks` (pve-manager: PVE/API2/Tasks.pm). The node in a task's id answers requests about it. */
export function taskCalls(api: Api) {
  const place = (upid: string) => ({ node: parseUpid(upid).node, upid });
  return {
    /** Without `source: "all"` running tasks are missing. */
    list: async (node: string, filter: TaskFilter, options?: CallOptions) => {
      const { data, total } = await api.page("/nodes/{node}/tasks", { node, ...filter }, z.array(listed), options);
      return { tasks: data, total: total ?? data.length };
    },

    get: (upid: string, options?: CallOptions) =>
      api.get("/nodes/{node}/tasks/{upid}/status", place(upid), status, options),

    /** Lines from `start`, and the total number. */
    log: async (upid: string, window: { readonly start?: number; readonly limit?: number }, options?: CallOptions) => {
      const given = { ...place(upid), ...window };
      const { data, total } = await api.page("/nodes/{node}/tasks/{upid}/log", given, z.array(logLine), options);
      return { lines: data.map(({ t }) => t), total: total ?? data.length };
    },

    /** Interrupts it. PVE waits up to 5 s for it to end, then kills it. */
    stop: (upid: string, options?: CallOptions) =>
      api.delete("/nodes/{node}/tasks/{upid}", place(upid), nothing, options),
  };
}

export type TaskCalls = ReturnType<typeof taskCalls>;

import * as z from "zod";
import type { Api, CallOptions } from "./api.ts";
import { parseArchivedConfig } from "./properties/archived-config.ts";
import type { Parameters } from "./transport/call.ts";

/** `/nodes/{node}/vzdump` (pve-manager: PVE/API2/VZDump.pm). */
export function backupCalls(api: Api) {
  return {
    /** Backs up guests of the node, in one task; null if it has none of them. */
    start: async (node: string, request: Parameters, options?: CallOptions): Promise<string | null> => {
      const answer = await api.post("/nodes/{node}/vzdump", { ...request, node }, z.string(), options);
      return answer === "OK" ? null : answer;
    },

    /** The configuration of the guest in a backup. Server side: pve-manager `PVE/API2/VZDump.pm`, `extractconfig`. */
    extractConfig: (node: string, volume: string, options?: CallOptions) =>
      api.get(
        "/nodes/{node}/vzdump/extractconfig",
        { node, volume },
        z.string().transform(parseArchivedConfig),
        options,
      ),
  };
}

export type BackupCalls = ReturnType<typeof backupCalls>;

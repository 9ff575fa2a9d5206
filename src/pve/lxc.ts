import * as z from "zod";
import type { Api, CallOptions } from "./api.ts";
import { flag, integer, text, withGivenName } from "./wire.ts";

const listed = z
  .looseObject({ vmid: integer, name: text.optional(), status: z.string(), template: flag.optional() })
  .transform(withGivenName);

export type ListedContainer = z.infer<typeof listed>;

/** `/nodes/{node}/lxc` (pve-container: src/PVE/API2/LXC.pm). */
export function lxcCalls(api: Api) {
  return {
    /** Read from the node itself, as the list of its VMs is. */
    list: (node: string, options?: CallOptions) => api.get("/nodes/{node}/lxc", { node }, z.array(listed), options),
  };
}

export type LxcCalls = ReturnType<typeof lxcCalls>;

import * as z from "zod";
import type { Api, CallOptions } from "./api.ts";
import { apiObject, flag, nothing } from "./wire.ts";

const entry = apiObject(() => ({
  Types: z.array(z.string()),
  URIs: z.array(z.string()),
  Suites: z.array(z.string()),
  Components: z.array(z.string()).optional(),
  Enabled: flag,
  Comment: z.string().optional(),
}));

const repositories = apiObject(() => ({
  digest: z.string().optional(),
  files: z.array(z.looseObject({ path: z.string(), repositories: z.array(entry) })),
  /** Without `status`: not configured. */
  "standard-repos": z.array(z.looseObject({ handle: z.string(), name: z.string().optional(), status: flag.nullish() })),
}));

const path = "/nodes/{node}/apt/repositories";

export type AptEntry = z.infer<typeof entry>;
export type AptRepositories = z.infer<typeof repositories>;

/** `/nodes/{node}/apt` (pve-manager: PVE/API2/APT.pm). */
export function aptCalls(api: Api) {
  return {
    list: (node: string, options?: CallOptions) => api.get(path, { node }, repositories, options),
    /** Adds a standard repository, or enables it. */
    add: (node: string, handle: string, digest: string | undefined, options?: CallOptions) =>
      api.put(path, { node, handle, ...(digest && { digest }) }, nothing, options),
    /** Switches the entry at a position of a file. */
    set: (
      node: string,
      place: { readonly path: string; readonly index: number; readonly enabled: boolean },
      digest: string | undefined,
      options?: CallOptions,
    ) => api.post(path, { node, ...place, ...(digest && { digest }) }, nothing, options),
  };
}

export type AptCalls = ReturnType<typeof aptCalls>;

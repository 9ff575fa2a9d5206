import * as z from "zod";
import type { Api, CallOptions } from "./api.ts";
import { flag } from "./wire.ts";

/** Privileges by path; the flag tells whether it holds below the path too. */
const permissions = z.record(z.string(), z.record(z.string(), flag));

export type Permissions = z.infer<typeof permissions>;

/** `/access` (pve-access-control: src/PVE/API2/AccessControl.pm). */
export function accessCalls(api: Api) {
  return {
    /** The caller's own rights. Paths without any are left out, so a token without an ACL gets `{}`. */
    getPermissions: (filter: { readonly path?: string } = {}, options?: CallOptions): Promise<Permissions> =>
      api.get("/access/permissions", filter, permissions, options),
  };
}

export type AccessCalls = ReturnType<typeof accessCalls>;

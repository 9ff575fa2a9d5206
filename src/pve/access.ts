import * as z from "zod";
import { aclCalls } from "./access/acl.ts";
import { roleCalls } from "./access/roles.ts";
import { tfaCalls } from "./access/tfa.ts";
import { tokenCalls } from "./access/tokens.ts";
import { userCalls } from "./access/users.ts";
import type { Api, CallOptions } from "./api.ts";
import type { OwnCredentials } from "./auth/own-credentials.ts";
import type { Parameters } from "./transport/call.ts";
import { flag } from "./wire.ts";

/** Privileges by path; the flag shows whether the privilege also applies below the path. */
const permissions = z.record(z.string(), z.record(z.string(), flag));

export type Permissions = z.infer<typeof permissions>;

/** `/access` (pve-access-control: src/PVE/API2/AccessControl.pm). Writes go to `user.cfg`, which has one lock. */
export function accessCalls(
  api: Api,
  { conceal, own, now }: { conceal: (secret: string) => void; own: OwnCredentials; now: () => number },
) {
  return {
    /**
     * The caller's own privileges, or those of another user for a caller with Sys.Audit on `/access`. Paths without any
     * are left out, so a token without an ACL gets `{}`.
     */
    getPermissions: (
      filter: { readonly path?: string; readonly userid?: string } = {},
      options?: CallOptions,
    ): Promise<Permissions> => api.get("/access/permissions", filter, permissions, options),
    /** Takes users and groups from the directory of a realm, in a task. */
    syncRealm: (realm: string, how: Parameters, options?: CallOptions): Promise<string> =>
      api.post("/access/domains/{realm}/sync", { ...how, realm }, z.string(), options),
    acl: aclCalls(api),
    roles: roleCalls(api),
    tfa: tfaCalls(api, conceal, now),
    tokens: tokenCalls(api, conceal, own),
    users: userCalls(api, own),
  };
}

export type AccessCalls = ReturnType<typeof accessCalls>;

import * as z from "zod";
import type { Api, CallOptions } from "../api.ts";
import type { OwnCredentials } from "../auth/own-credentials.ts";
import { orNull } from "../errors.ts";
import type { Parameters } from "../transport/call.ts";
import { apiObject, flag, integer, nothing, text } from "../wire.ts";

const user = apiObject(() => ({
  enable: flag.default(true),
  /** Unix seconds; 0 is never. */
  expire: integer.default(0),
  firstname: text.optional(),
  lastname: text.optional(),
  email: text.optional(),
  comment: text.optional(),
  groups: z.array(z.string()).default([]),
}));

const group = apiObject(() => ({ groupid: z.string() }));

export type User = z.infer<typeof user>;

export interface UserValues extends Parameters {
  readonly enable?: boolean;
  readonly expire?: number;
  readonly firstname?: string;
  readonly lastname?: string;
  readonly email?: string;
  readonly comment?: string;
  /** Replaces all groups by these. */
  readonly groups?: readonly string[];
}

/** `/access/users` and what users belong to (pve-access-control: src/PVE/API2/User.pm, Domains.pm, Group.pm). */
export function userCalls(api: Api, own: OwnCredentials) {
  return {
    get: (userid: string, options?: CallOptions) => api.get("/access/users/{userid}", { userid }, user, options),
    find: (userid: string, options?: CallOptions) =>
      orNull(api.get("/access/users/{userid}", { userid }, user, options)),
    create: (userid: string, given: UserValues & { readonly password?: string }, options?: CallOptions) =>
      api.post("/access/users", { ...given, userid }, nothing, options),
    /** An empty text removes the value. */
    update: (userid: string, change: UserValues, options?: CallOptions) =>
      api.put("/access/users/{userid}", { ...change, userid }, nothing, { ...options, isRepeatable: true }),
    /** Its tokens and its entries in the ACL are removed with it. */
    remove: (userid: string, options?: CallOptions) =>
      orNull(api.delete("/access/users/{userid}", { userid }, nothing, { ...options, isRepeatable: true })),

    /** Not for tokens; `confirmation` is the caller's own password, which everyone but root@pam must give. */
    setPassword: (
      userid: string,
      password: string,
      { confirmation, ...options }: CallOptions & { readonly confirmation?: string | undefined } = {},
    ) => {
      const given = { userid, password, "confirmation-password": confirmation };
      // The old password confirms nothing any more once the first request has changed it.
      const isRepeatable = !(own.areOf(userid) && confirmation !== undefined);
      const change = () => api.put("/access/password", given, nothing, { ...options, isRepeatable });
      return own.changing(userid, change, () => password);
    },

    /** The groups that the caller may see. */
    listGroups: async (options?: CallOptions) =>
      (await api.get("/access/groups", {}, z.array(group), options)).map(({ groupid }) => groupid),
  };
}

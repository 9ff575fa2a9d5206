import * as z from "zod";
import type { Api, CallOptions } from "../api.ts";
import { orNull } from "../errors.ts";
import { flag, nothing, words } from "../wire.ts";

const role = z
  .looseObject({
    roleid: z.string(),
    /** Missing for a role without any. */
    privs: words.default([]),
    special: flag.default(false),
  })
  .transform(({ roleid, privs, special }) => ({ id: roleid, privileges: privs, isBuiltIn: special }));

export type Role = z.infer<typeof role>;

/** `/access/roles` (pve-access-control: src/PVE/API2/Role.pm). */
export function roleCalls(api: Api) {
  const list = (options?: CallOptions): Promise<Role[]> => api.get("/access/roles", {}, z.array(role), options);
  return {
    /** `Administrator` has every privilege of the host. */
    list,
    /** Searched in the list: only the list shows whether a role is built in. */
    find: async (id: string, options?: CallOptions) => (await list(options)).find((one) => one.id === id) ?? null,
    create: (id: string, privileges: readonly string[], options?: CallOptions) =>
      api.post("/access/roles", { roleid: id, privs: privileges }, nothing, options),
    /** Replaces all privileges by these. */
    update: (id: string, privileges: readonly string[], options?: CallOptions) =>
      api.put("/access/roles/{roleid}", { roleid: id, privs: privileges }, nothing, { ...options, isRepeatable: true }),
    /** Entries of the ACL that grant the role are removed with it. */
    remove: (id: string, options?: CallOptions) =>
      orNull(api.delete("/access/roles/{roleid}", { roleid: id }, nothing, { ...options, isRepeatable: true })),
  };
}

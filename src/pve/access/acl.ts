import * as z from "zod";
import type { Api, CallOptions } from "../api.ts";
import { flag, listOfTypes, nothing } from "../wire.ts";

const subjectTypes = ["user", "group", "token"] as const;

const entry = z
  .looseObject({
    path: z.string(),
    roleid: z.string(),
    type: z.enum(subjectTypes),
    ugid: z.string(),
    propagate: flag.default(true),
  })
  .transform(({ path, roleid, type, ugid, propagate }) => ({ path, role: roleid, type, subject: ugid, propagate }));

export type AclEntry = z.infer<typeof entry>;

/** What distinguishes one entry from another: each role on a path is a separate entry. */
export type AclKey = Pick<AclEntry, "path" | "role" | "type" | "subject">;

const toWire = ({ path, role, type, subject }: AclKey) => ({ path, roles: role, [`${type}s`]: subject });

/** `/access/acl` (pve-access-control: src/PVE/API2/ACL.pm). */
export function aclCalls(api: Api) {
  const put = (given: Parameters<typeof api.put>[1], options?: CallOptions) =>
    api.put("/access/acl", given, nothing, { ...options, isRepeatable: true });
  return {
    /** Without Sys.Audit on /access, only entries that the caller might change. */
    list: (options?: CallOptions): Promise<AclEntry[]> =>
      api.get("/access/acl", {}, listOfTypes(subjectTypes, entry), options),
    /** Adds the entry or changes its propagation; the other entries of that path stay. */
    set: (key: AclKey, given: { readonly propagate?: boolean }, options?: CallOptions) =>
      put({ ...toWire(key), propagate: given.propagate }, options),
    /** A missing entry is not an error. */
    remove: (key: AclKey, options?: CallOptions) => put({ ...toWire(key), delete: true }, options),
  };
}

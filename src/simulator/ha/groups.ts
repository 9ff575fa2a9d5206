import { endpoint } from "../core/kernel/endpoint.ts";
import { die } from "../core/kernel/failure.ts";
import { configIdFormat, configIdListFormat } from "../core/schema/formats.ts";
import { boolean, string } from "../core/schema/schema.ts";
import { digest } from "../core/schema/standard-options.ts";
import { haNodeListFormat } from "./formats.ts";

// Rules replaced groups; on a cluster without old groups their endpoints refuse every call (`API2/HA/Groups.pm`).

const refuse = (action: string) => () => die(`cannot ${action}: ha groups have been migrated to rules`);

const group = string({ format: configIdFormat });
const flag = boolean({ optional: true, default: 0 });
const options = { comment: string({ optional: true, maxLength: 4096 }), nofailback: flag, restricted: flag };
const mayRead = { check: ["perm", "/", ["Sys.Audit"]] } as const;
const mayWrite = { check: ["perm", "/", ["Sys.Console"]] } as const;

export const haGroupEndpoints = [
  endpoint({
    method: "GET",
    path: "/cluster/ha/groups",
    permissions: mayRead,
    parameters: {},
    handler: refuse("index groups"),
  }),
  endpoint({
    method: "POST",
    path: "/cluster/ha/groups",
    protected: true,
    permissions: mayWrite,
    parameters: {
      group,
      ...options,
      nodes: string({ format: haNodeListFormat }),
      type: string({ optional: true, enum: ["group"] }),
    },
    handler: refuse("create group"),
  }),
  endpoint({
    method: "GET",
    path: "/cluster/ha/groups/{group}",
    permissions: mayRead,
    parameters: { group },
    handler: refuse("read group"),
  }),
  endpoint({
    method: "PUT",
    path: "/cluster/ha/groups/{group}",
    protected: true,
    permissions: mayWrite,
    parameters: {
      group,
      ...options,
      nodes: string({ optional: true, format: haNodeListFormat }),
      delete: string({ optional: true, format: configIdListFormat, maxLength: 4096 }),
      digest,
    },
    handler: refuse("update group"),
  }),
  endpoint({
    method: "DELETE",
    path: "/cluster/ha/groups/{group}",
    protected: true,
    permissions: mayWrite,
    parameters: { group },
    handler: refuse("delete group"),
  }),
];

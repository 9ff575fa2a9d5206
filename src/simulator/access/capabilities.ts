import { type Acl, pathLevels } from "../core/access/acl.ts";
import type { Access } from "../core/world/access.ts";

const areas: Readonly<Record<string, RegExp>> = {
  vms: /^(?:VM\.|Permissions\.Modify)/,
  access: /^(?:(?:User|Group)\.|Permissions\.Modify)/,
  storage: /^(?:Datastore\.|Permissions\.Modify)/,
  nodes: /^(?:Sys\.|Permissions\.Modify)/,
  sdn: /^(?:SDN\.|Permissions\.Modify)/,
  dc: /^(?:Sys\.Audit|Sys\.Modify|SDN\.)/,
  mapping: /^(?:Mapping\.|Permissions.Modify)/,
};

const alwaysLooked = ["/", "/nodes", "/access/groups", "/vms", "/storage", "/sdn", "/mapping"];

/**
 * `compute_api_permission`: what the web interface shows to a user, by area; part of the answer that has a new ticket.
 */
export function capabilities(access: Access, acl: Acl, userid: string): Record<string, Record<string, 1>> {
  const result: Record<string, Record<string, 1>> = Object.fromEntries(Object.keys(areas).map((area) => [area, {}]));
  const paths = new Set([...alwaysLooked, ...access.acl.flatMap((entry) => pathLevels(entry.path))]);
  const allow = (area: string, privilege: string) => {
    (result[area] ?? {})[privilege] = 1;
  };
  for (const path of paths) {
    const top = /^\/(\w+)/.exec(path)?.[1] ?? "dc";
    for (const privilege of acl.privileges(userid, path).keys()) {
      if (top === "pool") {
        for (const area of ["vms", "storage"].filter((name) => areas[name]?.test(privilege))) {
          allow(area, privilege);
        }
      } else if (areas[top]?.test(privilege)) {
        allow(top, privilege);
      }
    }
  }
  return result;
}

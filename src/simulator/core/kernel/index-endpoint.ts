import { node } from "../schema/standard-options.ts";
import { type Endpoint, endpoint } from "./endpoint.ts";

/**
 * A path that only lists the paths below it: it answers their names, each in a member that PVE calls `name`, `subdir`,
 * `id` or otherwise. All users may read it unless `more` overrides that.
 */
export function indexEndpoint(
  path: string,
  member: string,
  names: readonly string[],
  more: Partial<Pick<Endpoint, "parameters" | "permissions" | "protected" | "proxyTo" | "additionalProperties">> = {},
): Endpoint {
  return endpoint({
    method: "GET",
    path,
    permissions: { user: "all" },
    parameters: path.includes("{node}") ? { node } : {},
    ...more,
    handler: () => names.map((name) => ({ [member]: name })),
  });
}

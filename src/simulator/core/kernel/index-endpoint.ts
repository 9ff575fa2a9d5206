import { node } from "../schema/standard-options.ts";
import { type Endpoint, endpoint } from "./endpoint.ts";

/**
 * A path of which only the paths below it are of use: it answers their names, each in a member that PVE calls `name`,
 * `subdir`, `id` or otherwise. Everybody may read it unless `more` states otherwise.
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

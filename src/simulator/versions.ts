import type { Endpoint } from "./core/kernel/endpoint.ts";
import type { World } from "./core/world/world.ts";

/** Releases that can be simulated, oldest first, with a version of pve-manager each. */
export const releases = { "9.0": "9.0.11", "9.1": "9.1.6", "9.2": "9.2.11" } as const;

export type Release = keyof typeof releases;

interface Addition {
  readonly since: Release;
  /** `METHOD /path`, or the common start of several. */
  readonly call: string;
  /** The parameter; undefined: the whole call. */
  readonly parameter?: string;
}

/** Additions after 9.0 (changelogs of pve-manager, pve-storage and pve-access-control). */
const additions: readonly Addition[] = [
  { since: "9.1", call: "POST /nodes/{node}/storage/{storage}/oci-registry-pull" },
  { since: "9.1", call: "GET /nodes/{node}/query-oci-repo-tags" },
  { since: "9.1", call: "GET /cluster/qemu" },
  { since: "9.1", call: "POST /cluster/qemu" },
  { since: "9.1", call: "PUT /cluster/qemu" },
  { since: "9.1", call: "DELETE /cluster/qemu" },
  { since: "9.1", call: "GET /cluster/bulk-action" },
  { since: "9.1", call: "POST /cluster/bulk-action" },
  { since: "9.1", call: "PUT /access/users/{userid}/token/{tokenid}", parameter: "regenerate" },
];

const isAfter = (one: Release, other: Release) => Number(one) > Number(other);

/** The API of that release: without later calls and parameters. */
export function endpointsIn(release: Release, endpoints: readonly Endpoint[]): readonly Endpoint[] {
  const later = additions.filter(({ since }) => isAfter(since, release));
  if (later.length === 0) {
    return endpoints;
  }
  return endpoints.flatMap((endpoint) => {
    const matching = later.filter(({ call }) => `${endpoint.method} ${endpoint.path}`.startsWith(call));
    if (matching.some(({ parameter }) => parameter === undefined)) {
      return [];
    }
    const hidden = matching.map(({ parameter }) => parameter);
    const known = Object.entries(endpoint.parameters).filter(([name]) => !hidden.includes(name));
    return [{ ...endpoint, parameters: Object.fromEntries(known) }];
  });
}

/** The release of a cluster; an unknown one is treated as the newest. */
export function releaseOf({ version }: World): Release {
  return version.release in releases ? (version.release as Release) : "9.2";
}

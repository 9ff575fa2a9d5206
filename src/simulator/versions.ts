import type { Endpoint } from "./core/kernel/endpoint.ts";
import type { World } from "./core/world/world.ts";

/** Releases that can be simulated, oldest first, with a version of pve-manager each. */
export const releases = { "9.0": "9.0.11", "9.1": "9.1.6", "9.2": "9.2.11" } as const;

export type Release = keyof typeof releases;

interface Addition {
  /** The first version of pve-manager that has it. */
  readonly since: string;
  /** `METHOD /path`, or the common start of several. */
  readonly call: string;
  /** The parameter; undefined: the whole call. */
  readonly parameter?: string;
}

/** Additions after 9.0 (changelogs of pve-manager and of the packages that were released with it). */
const additions: readonly Addition[] = [
  { since: "9.1", call: "POST /nodes/{node}/storage/{storage}/oci-registry-pull" },
  { since: "9.1", call: "GET /nodes/{node}/query-oci-repo-tags" },
  { since: "9.1.15", call: "GET /cluster/qemu" },
  { since: "9.1.15", call: "POST /cluster/qemu" },
  { since: "9.1.15", call: "PUT /cluster/qemu" },
  { since: "9.1.15", call: "DELETE /cluster/qemu" },
  { since: "9.1.13", call: "PUT /cluster/options", parameter: "location" },
  { since: "9.1.13", call: "PUT /nodes/{node}/config", parameter: "location" },
  { since: "9.1", call: "POST /nodes/{node}/lxc", parameter: "entrypoint" },
  { since: "9.1", call: "PUT /nodes/{node}/lxc/{vmid}/config", parameter: "entrypoint" },
  { since: "9.1", call: "POST /nodes/{node}/lxc", parameter: "env" },
  { since: "9.1", call: "PUT /nodes/{node}/lxc/{vmid}/config", parameter: "env" },
  { since: "9.1", call: "POST /nodes/{node}/qemu", parameter: "intel-tdx" },
  { since: "9.1", call: "PUT /nodes/{node}/qemu/{vmid}/config", parameter: "intel-tdx" },
  { since: "9.1", call: "GET /cluster/bulk-action" },
  { since: "9.1", call: "POST /cluster/bulk-action" },
  { since: "9.1", call: "PUT /access/users/{userid}/token/{tokenid}", parameter: "regenerate" },
];

function isAfter(one: string, other: string): boolean {
  const [mine = [], theirs = []] = [one, other].map((version) => version.split(".").map(Number));
  const index = mine.findIndex((figure, place) => figure !== (theirs[place] ?? 0));
  return index >= 0 && (mine[index] ?? 0) > (theirs[index] ?? 0);
}

/** The API of that version: without later calls and parameters. */
export function endpointsIn(version: string, endpoints: readonly Endpoint[]): readonly Endpoint[] {
  const later = additions.filter(({ since }) => isAfter(since, version));
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

/** The version of a cluster; one of an unknown release is treated as the newest. */
export function versionOf({ version }: World): string {
  return version.release in releases ? version.version : releases["9.2"];
}

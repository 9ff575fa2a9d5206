import type { Endpoint } from "./core/kernel/endpoint.ts";
import { type PropertyFormat, propertyFormat } from "./core/schema/property-string.ts";
import type { Schema, StringSchema } from "./core/schema/schema.ts";
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
  /** The key of a property string. */
  readonly key?: string;
  /** The value; undefined: all of the parameter or key. */
  readonly value?: string;
}

const everyCall = (calls: readonly string[], addition: Omit<Addition, "call">): Addition[] =>
  calls.map((call) => ({ call, ...addition }));

const containerCalls = ["POST /nodes/{node}/lxc", "PUT /nodes/{node}/lxc/{vmid}/config"];
const vmCalls = [
  ...["POST /nodes/{node}/qemu", "POST /nodes/{node}/qemu/{vmid}/config"],
  "PUT /nodes/{node}/qemu/{vmid}/config",
];
const optionsCall = "PUT /cluster/options";

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
  ...everyCall(containerCalls, { since: "9.1", parameter: "entrypoint" }),
  ...everyCall(containerCalls, { since: "9.1", parameter: "env" }),
  ...everyCall(containerCalls, { since: "9.1", parameter: "net[n]", key: "host-managed" }),
  ...everyCall(containerCalls, { since: "9.1.6", parameter: "mp[n]", key: "keepattrs" }),
  ...everyCall(containerCalls, { since: "9.1.12", parameter: "mp[n]", key: "idmap" }),
  ...everyCall(containerCalls, { since: "9.1.12", parameter: "rootfs", key: "idmap" }),
  ...everyCall(vmCalls, { since: "9.1", parameter: "intel-tdx" }),
  ...everyCall(vmCalls, { since: "9.2.4", parameter: "net[n]", key: "host-tunnel" }),
  { since: "9.1.8", call: optionsCall, parameter: "crs", key: "ha", value: "dynamic" },
  { since: "9.1.8", call: optionsCall, parameter: "crs", key: "ha-auto-rebalance" },
  { since: "9.1.8", call: optionsCall, parameter: "crs", key: "ha-auto-rebalance-hold-duration" },
  { since: "9.1.8", call: optionsCall, parameter: "crs", key: "ha-auto-rebalance-method" },
  { since: "9.1.14", call: optionsCall, parameter: "crs", key: "ha-auto-rebalance-margin" },
  { since: "9.1.14", call: optionsCall, parameter: "crs", key: "ha-auto-rebalance-threshold" },
  { since: "9.2.5", call: "POST /cluster/ceph/restart-bulk" },
  { since: "9.2.7", call: "GET /nodes/{node}/ceph/releases" },
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
    const known = Object.entries(endpoint.parameters).flatMap(([name, schema]): [string, Schema][] => {
      const here = matching.filter(({ parameter }) => parameter === name || parameter === name.replace(/\d+$/, "[n]"));
      const earlier = here.reduce<Schema | undefined>((before, { key, value }) => without(before, key, value), schema);
      return earlier === undefined ? [] : [[name, earlier]];
    });
    return [{ ...endpoint, parameters: Object.fromEntries(known) }];
  });
}

/** The rules of a parameter without one of its keys or values; undefined: without all of it. */
function without(schema: Schema | undefined, key: string | undefined, value: string | undefined): Schema | undefined {
  if (schema === undefined || (key === undefined && value === undefined)) {
    return undefined;
  }
  const { format, enum: values } = schema as StringSchema;
  if (key === undefined) {
    return { ...(schema as StringSchema), enum: (values ?? []).filter((one) => one !== value) };
  }
  const { name, properties, validate } = format as PropertyFormat;
  const { [key]: inner, ...others } = properties;
  const earlier = without(inner, undefined, value);
  const parts = { ...(name === undefined ? {} : { name }), ...(validate === undefined ? {} : { validate }) };
  return {
    ...(schema as StringSchema),
    format: propertyFormat(earlier === undefined ? others : { ...properties, [key]: earlier }, parts),
  };
}

/** The version of a cluster; one of an unknown release is treated as the newest. */
export function versionOf({ version }: World): string {
  return version.release in releases ? version.version : releases["9.2"];
}

import type { Endpoint } from "./core/kernel/endpoint.ts";
import { type PropertyFormat, propertyFormat } from "./core/schema/property-string.ts";
import type { Properties, Schema } from "./core/schema/schema.ts";
import { isBefore, type Part } from "./core/world/release.ts";
import type { World } from "./core/world/world.ts";
import { newerCpuModels } from "./qemu/config/cpu-models.ts";

/** Releases that can be simulated, oldest first, with a version of pve-manager each. */
export const releases = { "9.0": "9.0.11", "9.1": "9.1.6", "9.2": "9.2.11" } as const;

export type Release = keyof typeof releases;

interface Addition {
  /** The first version of pve-manager that has it. */
  readonly since: string;
  /** `METHOD /path`, or the common start of several. */
  readonly call: string;
  /** The parameter, `net[n]` for all of that family, or `parameter/member` of a property string; undefined: the whole call. */
  readonly parameter?: string;
  /** The value of an enumeration that is new; undefined: the whole parameter. */
  readonly value?: string;
}

const both = (create: string, update: string, since: string, parameters: readonly string[]): Addition[] =>
  parameters.flatMap((parameter) => [create, update].map((call) => ({ since, call, parameter })));

const everyMethod = (path: string, since: string): Addition[] =>
  ["GET", "POST", "PUT", "DELETE"].map((method) => ({ since, call: `${method} ${path}` }));

const container = ["POST /nodes/{node}/lxc", "PUT /nodes/{node}/lxc/{vmid}/config"] as const;
const vm = [
  ...["POST /nodes/{node}/qemu", "POST /nodes/{node}/qemu/{vmid}/config"],
  "PUT /nodes/{node}/qemu/{vmid}/config",
];
const fabric = ["POST /cluster/sdn/fabrics/fabric", "PUT /cluster/sdn/fabrics/fabric"] as const;
const fabricNode = ["POST /cluster/sdn/fabrics/node", "PUT /cluster/sdn/fabrics/node"] as const;
const controller = ["POST /cluster/sdn/controllers", "PUT /cluster/sdn/controllers"] as const;

/** pve-network after 1.3.0, with the versions of pve-manager that show it. */
const sdnAdditions: readonly Addition[] = [
  ...everyMethod("/cluster/sdn/prefix-lists", "9.1.11"),
  ...everyMethod("/cluster/sdn/route-maps", "9.1.11"),
  ...both(...controller, "9.1.11", ["route-map-in", "route-map-out"]),
  ...both(...fabric, "9.1.11", ["route_filter"]),
  ...both(...controller, "9.1.12", ["nodes", "peer-group-name", "bgp-mode"]),
  ...both("POST /cluster/sdn/zones", "PUT /cluster/sdn/zones", "9.1.12", ["secondary-controllers"]),
  ...both(...fabric, "9.1.12", ["redistribute", "persistent_keepalive"]),
  ...both(...fabricNode, "9.1.12", ["allowed_ips", "endpoint", "peers", "public_key", "role"]),
  ...both(...fabricNode, "9.1.12", ["interfaces/network_type", "interfaces/listen_port", "interfaces/public_key"]),
  ...[...fabric, ...fabricNode].flatMap((call) => [
    { since: "9.1.12", call, parameter: "protocol", value: "wireguard" },
    { since: "9.1.15", call, parameter: "protocol", value: "bgp" },
  ]),
  ...both("POST /cluster/sdn/route-maps", "PUT /cluster/sdn/route-maps", "9.1.16", ["match/key"]).map((addition) => ({
    ...addition,
    value: "tag",
  })),
];

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
  ...both(...container, "9.1", ["entrypoint", "env", "net[n]/host-managed"]),
  ...both(...container, "9.1.6", ["mp[n]/keepattrs"]),
  ...both(...container, "9.1.12", ["mp[n]/idmap", "rootfs/idmap"]),
  ...vm.flatMap((call) => [
    { since: "9.1", call, parameter: "intel-tdx" },
    { since: "9.2.4", call, parameter: "net[n]/host-tunnel" },
  ]),
  { since: "9.1.8", call: "PUT /cluster/options", parameter: "crs/ha", value: "dynamic" },
  { since: "9.1.8", call: "PUT /cluster/options", parameter: "crs/ha-auto-rebalance" },
  { since: "9.1.8", call: "PUT /cluster/options", parameter: "crs/ha-auto-rebalance-hold-duration" },
  { since: "9.1.8", call: "PUT /cluster/options", parameter: "crs/ha-auto-rebalance-method" },
  { since: "9.1.14", call: "PUT /cluster/options", parameter: "crs/ha-auto-rebalance-margin" },
  { since: "9.1.14", call: "PUT /cluster/options", parameter: "crs/ha-auto-rebalance-threshold" },
  { since: "9.1", call: "GET /cluster/bulk-action" },
  { since: "9.1", call: "POST /cluster/bulk-action" },
  { since: "9.1", call: "PUT /access/users/{userid}/token/{tokenid}", parameter: "regenerate" },
  { since: "9.2.5", call: "POST /cluster/ceph/restart-bulk" },
  { since: "9.2.5", call: "POST /nodes/{node}/ceph/restart-bulk" },
  { since: "9.2.7", call: "GET /nodes/{node}/ceph/releases" },
  ...both("POST /cluster/ha/resources", "PUT /cluster/ha/resources", "9.1.13", ["auto-rebalance"]),
  ...newerCpuModels.flatMap((value) =>
    ["POST /cluster/qemu", "PUT /cluster/qemu"].map((call) => ({
      since: "9.2",
      call,
      parameter: "reported-model",
      value,
    })),
  ),
  ...sdnAdditions,
];

const partOf = (call: string): Part | undefined =>
  / \/cluster\/(sdn|ha|qemu)(?:\/|$)/.exec(call)?.[1] as Part | undefined;

/** The API of a cluster: without the calls and parameters that came later. */
export function endpointsIn(world: World, endpoints: readonly Endpoint[]): readonly Endpoint[] {
  const known = { ...world, version: { ...world.version, version: versionOf(world) } };
  const later = additions.filter(({ since, call }) => isBefore(known, since, partOf(call)));
  if (later.length === 0) {
    return endpoints;
  }
  return endpoints.flatMap((endpoint) => {
    const matching = later.filter(({ call }) => `${endpoint.method} ${endpoint.path}`.startsWith(call));
    if (matching.some(({ parameter }) => parameter === undefined)) {
      return [];
    }
    const parameters = matching.reduce((left, { parameter = "", value }) => {
      const [first = "", ...inner] = parameter.split("/");
      return namesIn(left, first).reduce((rest, name) => without(rest, [name, ...inner], value), left);
    }, endpoint.parameters);
    return [{ ...endpoint, parameters }];
  });
}

const namesIn = (all: Properties, name: string): string[] =>
  name.endsWith("[n]") ? Object.keys(all).filter((one) => one.replace(/\d+$/, "[n]") === name) : [name];

/** The parameters without one of them, without a member of its property string, or without a value. */
function without(all: Properties, [name = "", ...inner]: readonly string[], value?: string): Properties {
  const schema = all[name];
  if (schema === undefined) {
    return all;
  }
  if (inner.length > 0) {
    return { ...all, [name]: withoutMember(schema, inner, value) };
  }
  if (value !== undefined && "enum" in schema) {
    const left = (schema.enum as readonly string[] | undefined)?.filter((one) => one !== value);
    return { ...all, [name]: { ...schema, enum: left } as Schema };
  }
  const { [name]: _, ...others } = all;
  return others;
}

function withoutMember(schema: Schema, inner: readonly string[], value?: string): Schema {
  if (schema.type === "array") {
    return { ...schema, items: withoutMember(schema.items, inner, value) };
  }
  const format = "format" in schema ? schema.format : undefined;
  if (format === undefined || !("properties" in format)) {
    return schema;
  }
  const { name, properties, validate } = format as PropertyFormat;
  const left = propertyFormat(without(properties, inner, value), {
    ...(name !== undefined && { name }),
    ...(validate !== undefined && { validate }),
  });
  return { ...schema, format: left } as Schema;
}

/** The version of a cluster; one of an unknown release is treated as the newest. */
function versionOf({ version }: World): string {
  return version.release in releases ? version.version : releases["9.2"];
}

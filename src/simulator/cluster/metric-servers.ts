import { isConnectionRefused } from "../core/kernel/connect.ts";
import { type Call, endpoint } from "../core/kernel/endpoint.ts";
import { die } from "../core/kernel/failure.ts";
import { clusterFileLock } from "../core/kernel/locks.ts";
import { namedFormat } from "../core/schema/format.ts";
import { configIdFormat, configIdListFormat } from "../core/schema/formats.ts";
import { addressFormat } from "../core/schema/network-formats.ts";
import { matches } from "../core/schema/pattern.ts";
import { boolean, integer, string } from "../core/schema/schema.ts";
import { digest } from "../core/schema/standard-options.ts";
import {
  assertDigest,
  changedOptions,
  checkDeletions,
  checkNewSection,
  checkSectionUpdate,
  type OptionRules,
  sectionParameters,
  sectionsDigest,
  typedOptions,
} from "../core/sections/section-config.ts";
import type { ConfigSection, SectionOptions } from "../core/world/section.ts";

const graphitePath = namedFormat("graphite-path", (value) => {
  if (!matches("([-\\w]+\\.)*[-\\w]+", value)) {
    die("value does not look like a valid graphite path");
  }
});

const options = {
  server: string({ format: addressFormat }),
  port: integer({ minimum: 1, maximum: 65_536 }),
  disable: boolean({ optional: true }),
  mtu: integer({ optional: true, minimum: 512, maximum: 65_536 }),
  timeout: integer({ optional: true, minimum: 0 }),
  path: string({ optional: true, format: graphitePath }),
  proto: string({ optional: true, enum: ["udp", "tcp"] }),
  "api-path-prefix": string({ optional: true }),
  bucket: string({ optional: true }),
  influxdbproto: string({ optional: true, enum: ["udp", "http", "https"] }),
  "max-body-size": integer({ optional: true, minimum: 1 }),
  organization: string({ optional: true }),
  token: string({ optional: true }),
  "verify-certificate": boolean({ optional: true }),
  "otel-compression": string({ optional: true, enum: ["none", "gzip"] }),
  "otel-headers": string({ optional: true, maxLength: 1024 }),
  "otel-max-body-size": integer({ optional: true, minimum: 1024 }),
  "otel-path": string({ optional: true }),
  "otel-protocol": string({ optional: true, enum: ["http", "https"] }),
  "otel-resource-attributes": string({ optional: true, maxLength: 1024 }),
  "otel-timeout": integer({ optional: true, minimum: 1, maximum: 10 }),
  "otel-verify-ssl": boolean({ optional: true }),
};

const id = string({ format: configIdFormat });
const type = string({ format: configIdFormat, enum: ["graphite", "influxdb", "opentelemetry"] });

const optionalRules = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, { optional: true }]));
const shared = { server: {}, port: {}, disable: { optional: true } } as const;

/** Options by type (pve-manager `PVE/Status/Graphite.pm`, `InfluxDB.pm`, `OpenTelemetry.pm`). */
const rules: Readonly<Record<string, OptionRules>> = {
  graphite: { ...shared, ...optionalRules(["mtu", "timeout", "path", "proto"]) } as OptionRules,
  influxdb: {
    ...shared,
    ...optionalRules(["mtu", "timeout", "influxdbproto", "organization", "bucket", "token", "api-path-prefix"]),
    ...optionalRules(["max-body-size", "verify-certificate"]),
  } as OptionRules,
  opentelemetry: {
    ...shared,
    ...optionalRules(Object.keys(options).filter((name) => name.startsWith("otel-"))),
  } as OptionRules,
};
const rulesOf = (name: string): OptionRules => rules[name] ?? {};

/** `test_connection`: InfluxDB over HTTP unless it is disabled, OpenTelemetry always. */
async function checkConnection(
  kind: string,
  { server = "", port, disable, influxdbproto }: SectionOptions,
): Promise<void> {
  const isTried =
    kind === "opentelemetry" || (kind === "influxdb" && disable !== "1" && /^https?$/.test(String(influxdbproto)));
  if (isTried && (await isConnectionRefused(String(server), Number(port)))) {
    const text = `500 Can't connect to ${server}:${port} (Connection refused)`;
    die(
      kind === "influxdb"
        ? text
        : `Connection test failed: ${text} at /usr/share/perl5/PVE/Status/OpenTelemetry.pm line 707.`,
    );
  }
}

/** The token is kept apart from the file and never answered. */
const withoutToken = ({ token: _, ...rest }: SectionOptions): SectionOptions => rest;

const describe = ({ type: kind, options: set }: ConfigSection) => ({
  ...typedOptions(withoutToken(set), options),
  type: kind,
});

async function create(call: Call<{ id: string; type: string }>): Promise<null> {
  const { world, params } = call;
  await call.lock(clusterFileLock("status.cfg"), {}, async () => {
    if (world.metricServers[params.id] !== undefined) {
      die(`Metric server '${params.id}' already exists`);
    }
    const given = sectionParameters(call.given, ["id", "type"]);
    checkNewSection(rulesOf(params.type), given);
    await checkConnection(params.type, given);
    world.metricServers[params.id] = { type: params.type, options: changedOptions({}, given) };
  });
  return null;
}

async function update(
  call: Call<{ id: string; delete?: string | undefined; digest?: string | undefined }>,
): Promise<null> {
  const { world, params } = call;
  await call.lock(clusterFileLock("status.cfg"), {}, async () => {
    assertDigest(sectionsDigest(world.metricServers, rulesOf), params.digest);
    const section = world.metricServers[params.id] ?? die(`no such server '${params.id}'`);
    const given = sectionParameters(call.given, ["id", "delete", "digest"]);
    checkSectionUpdate(rulesOf(section.type), given);
    // The API deletes before it sets: a required option that is given as well is refused all the same.
    const deleted = checkDeletions(rulesOf(section.type), params.delete, {});
    const changed = changedOptions(
      section.options,
      given,
      deleted.filter((name) => given[name] === undefined),
    );
    await checkConnection(section.type, changed);
    section.options = changed;
  });
  return null;
}

const mayRead = { check: ["perm", "/", ["Sys.Audit"]] } as const;
const mayWrite = { check: ["perm", "/", ["Sys.Modify"]] } as const;

/** pve-manager `PVE/API2/Cluster/MetricServer.pm`. */
export const metricServerEndpoints = [
  endpoint({
    method: "GET",
    path: "/cluster/metrics",
    permissions: { user: "all" },
    parameters: {},
    handler: () => [{ name: "server" }],
  }),
  endpoint({
    method: "GET",
    path: "/cluster/metrics/server",
    permissions: mayRead,
    parameters: {},
    handler: ({ world }) =>
      Object.entries(world.metricServers).map(([name, { type: kind, options: set }]) => ({
        id: name,
        type: kind,
        disable: Number(set["disable"] ?? 0),
        server: set["server"],
        port: Number(set["port"]),
      })),
  }),
  endpoint({
    method: "GET",
    path: "/cluster/metrics/server/{id}",
    permissions: mayRead,
    parameters: { id },
    handler: ({ params, world }) =>
      describe(world.metricServers[params.id] ?? die(`status server entry '${params.id}' does not exist`)),
  }),
  endpoint({
    method: "POST",
    path: "/cluster/metrics/server/{id}",
    protected: true,
    permissions: mayWrite,
    parameters: { ...options, id, type },
    handler: create,
  }),
  endpoint({
    method: "PUT",
    path: "/cluster/metrics/server/{id}",
    protected: true,
    permissions: mayWrite,
    parameters: {
      ...options,
      id,
      delete: string({ optional: true, maxLength: 4096, format: configIdListFormat }),
      digest,
    },
    handler: update,
  }),
  endpoint({
    method: "DELETE",
    path: "/cluster/metrics/server/{id}",
    protected: true,
    permissions: mayWrite,
    parameters: { id },
    handler: async (call) => {
      const { world, params } = call;
      await call.lock(clusterFileLock("status.cfg"), {}, () => {
        if (world.metricServers[params.id] === undefined) {
          die("cannot lookup undefined type! at /usr/share/perl5/PVE/API2/Cluster/MetricServer.pm line 295.");
        }
        delete world.metricServers[params.id];
      });
      return null;
    },
  }),
];

import { isConnectionRefused } from "../core/kernel/connect.ts";
import { die } from "../core/kernel/failure.ts";
import { indexEndpoint } from "../core/kernel/index-endpoint.ts";
import { clusterFileLock } from "../core/kernel/locks.ts";
import { namedFormat } from "../core/schema/format.ts";
import { configIdFormat } from "../core/schema/formats.ts";
import { addressFormat } from "../core/schema/network-formats.ts";
import { matches } from "../core/schema/pattern.ts";
import { boolean, integer, string } from "../core/schema/schema.ts";
import { checkDeletions, type OptionRules } from "../core/sections/section-config.ts";
import { sectionEndpoints } from "../core/sections/section-endpoints.ts";
import { type SectionFile, typedSection } from "../core/sections/section-file.ts";
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

/** A server as the list shows it. */
function summary(id: string, { type: kind, options: set }: ConfigSection): Record<string, unknown> {
  return { id, type: kind, disable: Number(set["disable"] ?? 0), server: set["server"], port: Number(set["port"]) };
}

/** The token is stored outside the file and never part of an answer. */
function details(section: ConfigSection): Record<string, unknown> {
  const { token: _, ...shown } = typedSection(serverFile, section);
  return shown;
}

const mayRead = { check: ["perm", "/", ["Sys.Audit"]] } as const;
const mayWrite = { check: ["perm", "/", ["Sys.Modify"]] } as const;

/** pve-manager `PVE/API2/Cluster/MetricServer.pm`. */
const serverFile: SectionFile = {
  path: "/cluster/metrics/server",
  key: "id",
  id: string({ format: configIdFormat }),
  type,
  options,
  createsByPath: true,
  permissions: { list: mayRead, read: mayRead, create: mayWrite, update: mayWrite, delete: mayWrite },
  texts: {
    exists: (id) => `Metric server '${id}' already exists`,
    missing: (id, action) =>
      ({
        read: `status server entry '${id}' does not exist`,
        delete: "cannot lookup undefined type! at /usr/share/perl5/PVE/API2/Cluster/MetricServer.pm line 295.",
      })[action as string] ?? `no such server '${id}'`,
  },
  sections: ({ metricServers }) => metricServers,
  rulesOf: (name) => rules[name] ?? {},
  view: ({ world }, action) =>
    Object.fromEntries(
      Object.entries(world.metricServers).map(([id, section]) => [
        id,
        action === "list" ? summary(id, section) : details(section),
      ]),
    ),
  change: (call, _, body) => call.lock(clusterFileLock("status.cfg"), {}, body),
  checks: "when free",
  // The API deletes before it sets: deleting a required option is refused, even if the request also sets it.
  deletions: (known, list, given) => checkDeletions(known, list, {}).filter((name) => given[name] === undefined),
  verify: ({ section }) => checkConnection(section.type, section.options),
};

export const metricServerEndpoints = [
  indexEndpoint("/cluster/metrics", "name", ["server"]),
  ...sectionEndpoints(serverFile),
];

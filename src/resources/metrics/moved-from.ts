import { bpg, type LegacyState, opposite } from "#kit";

const isOf = (old: LegacyState, type: string): boolean => old.text("type") === type;

/** An object for the type, even if nothing is set in it. */
const object = (type: string) => (old: LegacyState) => (isOf(old, type) ? {} : undefined);

/** Options that two types share. */
const packets = (type: string) => ({
  [`${type}.mtu`]: (old: LegacyState) => (isOf(old, type) ? old.number("mtu") : undefined),
  [`${type}.timeout`]: (old: LegacyState) => (isOf(old, type) ? old.number("timeout") : undefined),
});

/** bpg's provider has one type, with a prefix for each kind of server. */
export const metricServersMovedFrom = [
  bpg("metrics_server", {
    id: "name",
    server: "server",
    port: "port",
    enabled: opposite("disable"),
    graphite: object("graphite"),
    "graphite.protocol": "graphite_proto",
    "graphite.path": "graphite_path",
    ...packets("graphite"),
    influxdb: object("influxdb"),
    "influxdb.protocol": "influx_db_proto",
    "influxdb.organization": "influx_organization",
    "influxdb.bucket": "influx_bucket",
    "influxdb.api_path_prefix": "influx_api_path_prefix",
    "influxdb.max_body_size": "influx_max_body_size",
    "influxdb.verify_certificate": "influx_verify",
    ...packets("influxdb"),
    opentelemetry: object("opentelemetry"),
    "opentelemetry.protocol": "opentelemetry_proto",
    "opentelemetry.path": "opentelemetry_path",
    "opentelemetry.timeout": "opentelemetry_timeout",
    "opentelemetry.compression": "opentelemetry_compression",
    "opentelemetry.max_body_size": "opentelemetry_max_body_size",
    "opentelemetry.verify_certificate": "opentelemetry_verify_ssl",
  }),
];

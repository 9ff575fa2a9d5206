import { base64Map, bool, int, map, matches, nested, oneOf, string } from "#kit";

const noBlank = string({ check: matches(/^\S+$/, "a text without blanks") });

const packets = {
  mtu: {
    type: int({ min: 512, max: 65_536 }),
    mode: "optional",
    wire: "mtu",
    doc: "Size of UDP packets in bytes. Left out: 1500.",
  },
  timeout: {
    type: int({ min: 0 }),
    mode: "optional",
    wire: "timeout",
    doc: "How many seconds a node waits for the server, over TCP or HTTP. Left out: 1.",
  },
} as const;

const flag = (wire: string, doc: string) => ({ type: bool(), mode: "optional", wire, doc }) as const;

/** One attribute for each type of server; exactly one of them is given. */
export const metricServerTypes = {
  graphite: {
    type: nested(
      {
        protocol: {
          type: oneOf(["udp", "tcp"]),
          mode: "optional",
          wire: "proto",
          doc: "How the figures are sent. Left out: `udp`.",
        },
        path: {
          type: string({ check: matches(/^([-\w]+\.)*[-\w]+$/, "names joined by dots, such as `proxmox.site1`") }),
          mode: "optional",
          wire: "path",
          doc: "What the names of the figures begin with. Left out: `proxmox`.",
        },
        ...packets,
      },
      { mayBeEmpty: true },
    ),
    mode: "optional",
    doc: "A Graphite server. Exactly one of `graphite`, `influxdb` and `opentelemetry` must be given.",
  },
  influxdb: {
    type: nested(
      {
        protocol: {
          type: oneOf(["udp", "http", "https"]),
          mode: "optional",
          wire: "influxdbproto",
          doc: "How the figures are sent. With `http` and `https` the server has to answer when it is configured. Left out: `udp`.",
        },
        organization: {
          type: noBlank,
          mode: "optional",
          wire: "organization",
          doc: "Organization, for HTTP. Left out: `proxmox`.",
        },
        bucket: { type: noBlank, mode: "optional", wire: "bucket", doc: "Bucket, for HTTP. Left out: `proxmox`." },
        token: {
          type: noBlank,
          mode: "optional",
          writeOnly: { trigger: "token_version" },
          sensitive: true,
          wire: "token",
          doc: "Token, for HTTP; never stored. It is sent when the server is created and when `token_version` changes.",
        },
        token_version: {
          type: int(),
          mode: "optional",
          local: true,
          doc: "Any number; another one sends `token` again.",
        },
        api_path_prefix: {
          type: noBlank,
          mode: "optional",
          wire: "api-path-prefix",
          doc: "What the path of the API begins with, behind a reverse proxy. Left out: nothing.",
        },
        max_body_size: {
          type: int({ min: 1 }),
          mode: "optional",
          wire: "max-body-size",
          doc: "How many bytes one request has at most. Left out: 25000000.",
        },
        verify_certificate: flag(
          "verify-certificate",
          "Whether the certificate of the server must be trusted, for `https`. Left out: it must.",
        ),
        ...packets,
      },
      { mayBeEmpty: true },
    ),
    mode: "optional",
    doc: "An InfluxDB server.",
  },
  opentelemetry: {
    type: nested(
      {
        protocol: {
          type: oneOf(["http", "https"]),
          mode: "optional",
          wire: "otel-protocol",
          doc: "How the figures are sent. Left out: `https`.",
        },
        path: {
          type: string({ check: matches(/^\/\S*$/, "an absolute path without blanks") }),
          mode: "optional",
          wire: "otel-path",
          doc: "Path on the server. Left out: `/v1/metrics`.",
        },
        timeout: {
          type: int({ min: 1, max: 10 }),
          mode: "optional",
          wire: "otel-timeout",
          doc: "How many seconds a node waits for the server, 1 to 10. Left out: 5.",
        },
        headers: {
          type: map(string(), { min: 1 }),
          mode: "optional",
          sensitive: true,
          wire: "otel-headers",
          as: base64Map,
          doc: "Headers of each request, such as `Authorization`. Proxmox VE shows them to those who may read the server, so they are in the state. Null as well if another client has written what is no JSON object, which Proxmox VE ignores. Left out: none.",
        },
        resource_attributes: {
          type: map(string(), { min: 1 }),
          mode: "optional",
          wire: "otel-resource-attributes",
          as: base64Map,
          doc: "Attributes of the resource that are sent as well. Left out: none but Proxmox VE's own.",
        },
        compression: {
          type: oneOf(["none", "gzip"]),
          mode: "optional",
          wire: "otel-compression",
          doc: "How requests are compressed. Left out: `gzip`.",
        },
        max_body_size: {
          type: int({ min: 1024 }),
          mode: "optional",
          wire: "otel-max-body-size",
          doc: "How many bytes one request has at most. Left out: 10000000.",
        },
        verify_certificate: flag(
          "otel-verify-ssl",
          "Whether the certificate of the server must be trusted, for `https`. Left out: it must.",
        ),
      },
      { mayBeEmpty: true },
    ),
    mode: "optional",
    doc: "A server that takes OpenTelemetry over HTTP. It has to answer when it is configured.",
  },
} as const;

import type { Row } from "./row.ts";

const recipients = (type: string) =>
  ({
    [`${type}.mailto`]: [["on-call@example.com"], ["first@example.com", "second@example.com"]],
    [`${type}.mailto_users`]: [["root@pam"], ["root@pam", "terraform@pve"]],
    [`${type}.author`]: ["Cluster", "Cluster of site 1"],
  }) as const;

const url = "https://chat.example.com/hooks/proxmox";

export const metricServerRow: Row = {
  type: "proxmox_metric_server",
  base: { id: "graphite", server: "graphite.example.com", port: 2003, graphite: {} },
  values: {
    server: ["10.9.9.1", "other.example.com"],
    port: [2004, 2005],
    enabled: [false, true],
    "graphite.protocol": ["tcp", "udp"],
    "graphite.path": ["proxmox.site1", "pve"],
    "graphite.mtu": [1400, 9000],
    "graphite.timeout": [0, 5],
  },
  others: [
    {
      base: { id: "influx", server: "influxdb.example.com", port: 8086, influxdb: { token: "secret" } },
      values: {
        "influxdb.protocol": ["https", "http"],
        "influxdb.organization": ["example", "other"],
        "influxdb.bucket": ["proxmox", "other"],
        "influxdb.api_path_prefix": ["influx", "other"],
        "influxdb.max_body_size": [1000, 2000],
        "influxdb.verify_certificate": [false, true],
        "influxdb.mtu": [1400, 9000],
        "influxdb.timeout": [0, 5],
      },
    },
    {
      base: { id: "otel", server: "otel.example.com", port: 4318, opentelemetry: {} },
      values: {
        "opentelemetry.protocol": ["http", "https"],
        "opentelemetry.path": ["/metrics", "/v1/other"],
        "opentelemetry.timeout": [1, 10],
        "opentelemetry.headers": [
          { Authorization: "Bearer abcdef" },
          { "X-Scope": "one", Authorization: "Basic abcdef" },
        ],
        "opentelemetry.resource_attributes": [{ site: "one" }, { site: "two", rack: "ü" }],
        "opentelemetry.compression": ["none", "gzip"],
        "opentelemetry.max_body_size": [1024, 2048],
        "opentelemetry.verify_certificate": [false, true],
      },
    },
  ],
};

export const endpointRow: Row = {
  type: "proxmox_notification_endpoint",
  base: { name: "mail", sendmail: { mailto: ["root@example.com"] } },
  values: {
    enabled: [false, true],
    comment: ["first", "second"],
    ...recipients("sendmail"),
    "sendmail.from_address": ["pve@example.com", "other@example.com"],
  },
  others: [
    {
      base: {
        name: "mailbox",
        smtp: { server: "mail.example.com", from_address: "pve@example.com", mailto: ["root"], password: "secret" },
      },
      values: {
        ...recipients("smtp"),
        "smtp.server": ["10.9.9.1", "other.example.com"],
        "smtp.port": [25, 587],
        "smtp.mode": ["insecure", "starttls"],
        "smtp.username": ["ann", "other"],
        "smtp.from_address": ["other@example.com", "pve@example.org"],
      },
    },
    {
      base: { name: "push", gotify: { server: "https://gotify.example.com", token: "secret" } },
      values: { "gotify.server": ["http://10.9.9.1:8080", "https://other.example.com"] },
    },
    {
      base: { name: "hook", webhook: { url, method: "post", secrets: { key: "secret" } } },
      values: {
        "webhook.url": [`${url}/one`, "http://other.example.com"],
        "webhook.method": ["put", "get"],
        "webhook.headers": [{ "Content-Type": "application/json" }, { Accept: "*/*", "X-Key": "{{ secrets.key }}" }],
        "webhook.body": ["{{ title }}", "line 1\nline 2, ü"],
      },
    },
  ],
};

export const matcherRow: Row = {
  type: "proxmox_notification_matcher",
  base: { name: "night" },
  values: {
    targets: [["mail-to-root"], ["mail-to-root", "spare"]],
    mode: ["any", "all"],
    invert_match: [true, false],
    match_fields: [["exact:type=vzdump"], ["regex:hostname=^pve", "exact:type=fencing"]],
    match_severities: [["error"], ["warning,error", "error"]],
    match_calendars: [["8-17"], ["mon..fri 8:00-17:30", "sat,sun 0-23:59"]],
    enabled: [false, true],
    comment: ["first", "second"],
  },
};

import { base64Map, defineCrud, disabled, int, matches, string } from "#kit";
import { metricServerTypes } from "./metric-server-types.ts";
import { metricServersMovedFrom } from "./moved-from.ts";

/** PVE's limit for `otel-headers` and `otel-resource-attributes`, in base64. */
const longest = 1024;

/** `proxmox_metric_server`. Server side: pve-manager `PVE/API2/Cluster/MetricServer.pm`, `PVE/Status/*.pm`. */
export const metricServer = defineCrud({
  type: "proxmox_metric_server",
  subcategory: "Cluster",
  doc: "A server that the nodes send their figures, and those of guests and storages, to.",
  noun: "metric server",
  path: "/cluster/metrics/server/{id}",
  creation: "/cluster/metrics/server/{id}",
  file: "status.cfg",
  contactsHosts: true,
  identity: ["id"],
  variants: { names: ["graphite", "influxdb", "opentelemetry"] },
  alwaysSent: ["server", "port"],
  movedFrom: metricServersMovedFrom,
  attributes: {
    id: {
      type: string({ check: matches(/^[A-Za-z][\w-]+$/, "a letter and then letters, digits, `-` or `_`") }),
      mode: "required",
      wire: "id",
      replace: true,
      doc: "Name of the metric server.",
    },
    server: {
      type: string({ check: matches(/^[A-Za-z0-9][A-Za-z0-9.:-]*$/, "a host name or an IP address") }),
      mode: "required",
      wire: "server",
      doc: "Host name or IP address of the server.",
    },
    port: { type: int({ min: 1, max: 65_535 }), mode: "required", wire: "port", doc: "Port of the server." },
    enabled: {
      ...disabled("disable"),
      doc: "Whether figures are sent. Left out: a new one gets them; otherwise it stays as it is.",
    },
    ...metricServerTypes,
  },

  validate({ config: { opentelemetry }, report }) {
    for (const name of ["headers", "resource_attributes"] as const) {
      const values = opentelemetry?.[name];
      if (!values || Object.values(values).includes(undefined as never)) continue;
      const length = base64Map.print(values).length;
      if (length <= longest) continue;
      const detail = `Proxmox VE keeps \`${name}\` as one text of at most ${longest} characters, and these take ${length}.`;
      report.error(`opentelemetry.${name}`, "Settings too long", detail);
    }
  },
});

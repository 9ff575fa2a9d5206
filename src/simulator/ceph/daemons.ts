import { type Endpoint, endpoint, type Method } from "../core/kernel/endpoint.ts";
import { die } from "../core/kernel/failure.ts";
import { indexEndpoint } from "../core/kernel/index-endpoint.ts";
import type { Permissions } from "../core/kernel/permission.ts";
import { cidrFormat, ipListFormat } from "../core/schema/network-formats.ts";
import { boolean, integer, number, type Properties, string } from "../core/schema/schema.ts";
import { node } from "../core/schema/standard-options.ts";
import { notSimulated, requireCeph } from "./installation.ts";

const serviceName = "[a-zA-Z0-9]([a-zA-Z0-9\\-]*[a-zA-Z0-9])?";
const configKey = "[0-9a-zA-Z\\-_\\.]+:[0-9a-zA-Z\\-_]+";
const osdid = integer();
const flag = boolean({ optional: true });
const existingName = string({ pattern: serviceName });
const newName = string({ optional: true, pattern: serviceName, maxLength: 200 });
const service = { service: string({ optional: true, pattern: `(ceph|mon|mds|osd|mgr)(\\.${serviceName})?` }) };
const bulkRestart = {
  "dry-run": flag,
  force: flag,
  "only-outdated": flag,
  timeout: integer({ optional: true, minimum: 30, maximum: 1800 }),
};

const mayRead = { check: ["perm", "/", ["Sys.Audit", "Datastore.Audit"], { any: true }] } as const;
const mayAudit = { check: ["perm", "/", ["Sys.Audit"]] } as const;
const mayAuditAny = { check: ["perm", "/", ["Sys.Audit"], { any: true }] } as const;
const mayWrite = { check: ["perm", "/", ["Sys.Modify"]] } as const;

/** A call below /nodes/{node}/ceph that requires an installed Ceph; `daemon` is checked first. */
function onNode(
  line: `${Method} ${string}`,
  permissions: Permissions | null,
  parameters: Properties = {},
  { daemon = "mon", isProtected = true }: { daemon?: string; isProtected?: boolean } = {},
): Endpoint {
  const [method, path] = line.split(" ") as [Method, string];
  return endpoint({
    method,
    path: `/nodes/{node}/ceph/${path}`,
    proxyTo: "node",
    ...(isProtected ? { protected: true } : {}),
    ...(permissions === null ? {} : { permissions }),
    parameters: { node, ...parameters },
    handler: ({ world }) => {
      requireCeph(world, daemon);
      return notSimulated();
    },
  });
}

/**
 * Daemons, OSDs and file systems (pve-manager `PVE/API2/Ceph/*.pm`): answers of a node without Ceph. For a seed with
 * Ceph, they are not simulated.
 */
export const cephDaemonEndpoints = [
  onNode("GET cfg/db", mayRead),
  onNode("GET cfg/raw", mayRead, {}, { isProtected: false }),
  onNode("GET cfg/value", mayAudit, {
    "config-keys": string({ maxLength: 4096, pattern: `${configKey}([;, ]${configKey})*` }),
  }),
  onNode("GET cmd-safety", mayAudit, {
    action: string({ enum: ["stop", "destroy"] }),
    id: string(),
    service: string({ enum: ["osd", "mon", "mds"] }),
  }),
  onNode("GET crush", mayRead),
  onNode("GET fs", mayRead),
  onNode("POST fs/{name}", mayWrite, {
    "add-storage": flag,
    name: string({ optional: true, pattern: "[^:/\\s]+" }),
    pg_num: integer({ optional: true, minimum: 8, maximum: 32_768 }),
  }),
  onNode("DELETE fs/{name}", mayWrite, { name: string(), "remove-pools": flag, "remove-storages": flag }),
  onNode(
    "GET log",
    { check: ["perm", "/nodes/{node}", ["Sys.Syslog"]] },
    { start: integer({ optional: true, minimum: 0 }), limit: integer({ optional: true, minimum: 0 }) },
  ),
  onNode("GET mds", mayRead),
  onNode("POST mds/{name}", mayWrite, { hotstandby: flag, name: newName }, { daemon: "mds" }),
  onNode("DELETE mds/{name}", mayWrite, { name: existingName }),
  onNode("GET mgr", mayRead),
  onNode("POST mgr/{id}", mayWrite, { id: newName }, { daemon: "mgr" }),
  onNode("DELETE mgr/{id}", mayWrite, { id: existingName }),
  onNode("GET mon", mayRead),
  onNode("POST mon/{monid}", mayWrite, {
    "mon-address": string({ optional: true, format: ipListFormat }),
    monid: newName,
  }),
  onNode("DELETE mon/{monid}", mayWrite, { monid: existingName }),
  onNode("GET osd", mayRead),
  onNode("POST osd", null, {
    "crush-device-class": string({ optional: true }),
    db_dev: string({ optional: true }),
    db_dev_size: number({ optional: true, minimum: 1, requires: "db_dev" }),
    dev: string(),
    encrypted: flag,
    "osds-per-device": integer({ optional: true, minimum: 1 }),
    wal_dev: string({ optional: true }),
    wal_dev_size: number({ optional: true, minimum: 0.5, requires: "wal_dev" }),
  }),
  onNode("DELETE osd/{osdid}", null, { cleanup: flag, osdid }),
  onNode("GET osd/{osdid}/metadata", mayAuditAny, { osdid }),
  onNode("GET osd/{osdid}/lv-info", mayAuditAny, {
    osdid,
    type: string({ optional: true, enum: ["block", "db", "wal"] }),
  }),
  onNode("POST osd/{osdid}/in", mayWrite, { osdid }),
  onNode("POST osd/{osdid}/out", mayWrite, { osdid }),
  onNode("POST osd/{osdid}/scrub", mayWrite, { deep: flag, osdid }),
  onNode("GET releases", mayRead, {}, { isProtected: false }),
  onNode("POST start", mayWrite, service),
  onNode("POST stop", mayWrite, service),
  onNode("POST restart", mayWrite, service),
  onNode("POST restart-bulk", mayWrite, {
    ...bulkRestart,
    resume: flag,
    "service-type": string({ enum: ["osd"] }),
    "set-noout": flag,
  }),
  indexEndpoint("/nodes/{node}/ceph/osd/{osdid}", "name", ["metadata", "lv-info"], { parameters: { node, osdid } }),
  endpoint({
    method: "POST",
    path: "/nodes/{node}/ceph/init",
    protected: true,
    proxyTo: "node",
    permissions: mayWrite,
    parameters: {
      node,
      "cluster-network": string({ optional: true, format: cidrFormat, maxLength: 128, requires: "network" }),
      disable_cephx: flag,
      min_size: integer({ optional: true, minimum: 1, maximum: 7 }),
      network: string({ optional: true, format: cidrFormat, maxLength: 128 }),
      pg_bits: integer({ optional: true, minimum: 6, maximum: 14 }),
      size: integer({ optional: true, minimum: 1, maximum: 7 }),
    },
    handler: ({ world }) => (world.ceph === null ? die("Ceph Nautilus required - please run 'pveceph install'") : null),
  }),
  endpoint({
    method: "POST",
    path: "/cluster/ceph/restart-bulk",
    protected: true,
    permissions: mayWrite,
    parameters: { ...bulkRestart, "service-type": string({ enum: ["mon", "mgr", "mds", "osd"] }) },
    handler: ({ world }) => {
      requireCeph(world);
      return notSimulated();
    },
  }),
];

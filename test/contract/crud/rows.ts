import { backupJobRow, replicationRow } from "./backup-rows.ts";
import { clusterRows } from "./cluster-rows.ts";
import { interfaceRow } from "./network-rows.ts";
import { endpointRow, matcherRow, metricServerRow } from "./notification-rows.ts";
import { realmRow } from "./realm-rows.ts";
import type { Row } from "./row.ts";
import {
  controllerRow,
  dnsRow,
  fabricNodeRow,
  fabricRow,
  ipamRow,
  prefixListRow,
  routeMapEntryRow,
  subnetRow,
  vnetRow,
  zoneRow,
} from "./sdn-rows.ts";
import { storageRow } from "./storage-rows.ts";

const pve1 = { pve1: { path: "/srv" } };
const card = { path: "0000:01:00.0", device_id: "8086:1521" };

export const rows: readonly Row[] = [
  { type: "proxmox_group", base: { id: "ops" }, values: { comment: ["on call", "off duty"] } },
  {
    type: "proxmox_role",
    base: { id: "Ops", privileges: ["VM.Audit"] },
    values: {
      privileges: [
        ["VM.Audit", "VM.Console"],
        ["VM.PowerMgmt", "VM.Audit"],
      ],
    },
  },
  {
    type: "proxmox_user",
    base: { id: "ann@pve" },
    values: {
      enabled: [false, true],
      expire: ["2040-01-01T00:00:00Z", "2041-01-01T00:00:00Z"],
      comment: ["first", "second"],
      email: ["ann@example.com", "other@example.com"],
      first_name: ["Ann", "Anne"],
      last_name: ["Other", "Else"],
      groups: [["staff"], ["guests", "staff"]],
    },
  },
  {
    type: "proxmox_pool",
    base: { id: "prod" },
    values: {
      comment: ["first", "second"],
      storages: [["ceph"], ["nas", "local"]],
    },
  },
  {
    type: "proxmox_ha_resource",
    base: { sid: "vm:101" },
    values: {
      state: ["stopped", "ignored"],
      max_restart: [0, 3],
      max_relocate: [0, 2],
      auto_rebalance: [false, true],
      failback: [false, true],
      comment: ["first", "second"],
    },
  },
  {
    type: "proxmox_ha_rule",
    base: { name: "near", type: "node-affinity", resources: ["vm:102"], nodes: { pve1: 2 } },
    values: {
      resources: [["vm:102", "vm:103"], ["vm:103"]],
      nodes: [{ pve1: 1, pve2: 3 }, { pve3: 0 }],
      strict: [true, false],
      enabled: [false, true],
      comment: ["first", "second"],
    },
    others: [
      {
        base: { name: "apart", type: "resource-affinity", resources: ["vm:102", "vm:103"], affinity: "negative" },
        values: { affinity: ["positive", "negative"] },
      },
      {
        base: { name: "away", type: "node-affinity", resources: ["vm:103"], nodes: { pve1: 0 } },
        values: { affinity: ["negative", "positive"] },
      },
    ],
  },
  {
    type: "proxmox_hardware_mapping",
    base: { name: "share", dir: { nodes: pve1 } },
    values: {
      comment: ["first", "second"],
      "dir.nodes": [{ pve1: { path: "/tmp" } }, { ...pve1, pve2: { path: "/srv" } }],
    },
    others: [
      {
        base: { name: "gpu", pci: { nodes: { pve1: { devices: [card] } } } },
        values: {
          "pci.nodes": [
            { pve1: { devices: [{ ...card, iommu_group: 14, subsystem_id: "8086:0001" }] } },
            { pve1: { devices: [card, { ...card, path: "0000:02:00", description: "spare" }] } },
          ],
          "pci.mdev": [true, false],
          "pci.live_migration_capable": [true, false],
        },
      },
      {
        base: { name: "key", usb: { nodes: { pve1: { device_id: "0951:1666" } } } },
        values: {
          "usb.nodes": [{ pve1: { device_id: "0951:1666", path: "1-2" } }, { pve2: { device_id: "0951:1666" } }],
        },
      },
    ],
  },
  realmRow,
  {
    type: "proxmox_realm_sync_job",
    base: { id: "sync-nightly", realm: "directory", schedule: "daily", scope: "both" },
    values: {
      schedule: ["hourly", "mon..fri 02:30"],
      scope: ["users", "groups"],
      enable_new: [false, true],
      remove_vanished: [["acl"], ["properties", "entry"]],
      enabled: [false, true],
      comment: ["first", "second"],
    },
  },
  ...clusterRows,
  storageRow,
  backupJobRow,
  replicationRow,
  metricServerRow,
  endpointRow,
  matcherRow,
  zoneRow,
  vnetRow,
  subnetRow,
  controllerRow,
  fabricRow,
  fabricNodeRow,
  prefixListRow,
  routeMapEntryRow,
  ipamRow,
  dnsRow,
  interfaceRow,
];

/** One least configuration of a type, and what can be changed in it. */
export interface Case extends Pick<Row, "base" | "values" | "isReserved" | "prepare"> {
  readonly type: string;
  readonly name: string;
}

export const casesOf = (some: readonly Row[]): Case[] =>
  some.flatMap(({ type, base, values, isReserved, prepare, others = [] }) =>
    [{ base, values, ...(prepare && { prepare }) }, ...others].map((one, index) => ({
      type,
      ...one,
      ...(isReserved && { isReserved }),
      name: index === 0 ? type : `${type} ${index + 1}`,
    })),
  );

export const cases: readonly Case[] = casesOf(rows);

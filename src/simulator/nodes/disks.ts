import { type Call, type Endpoint, endpoint } from "../core/kernel/endpoint.ts";
import { die } from "../core/kernel/failure.ts";
import { indexEndpoint } from "../core/kernel/index-endpoint.ts";
import { splitList } from "../core/schema/format.ts";
import { storageIdFormat, stringListFormat } from "../core/schema/formats.ts";
import { propertyFormat } from "../core/schema/property-string.ts";
import { boolean, integer, type Properties, string } from "../core/schema/schema.ts";
import { node } from "../core/schema/standard-options.ts";
import { type DiskPool, getNode, type NodeDisk } from "../core/world/node.ts";
import type { World } from "../core/world/world.ts";
import { checkLevel, type Kind, kinds } from "./disk-kinds.ts";
import {
  directories,
  lvmTree,
  poolsOf,
  poolsOfType,
  thinPools,
  volumeGroup,
  zfsPools,
  zfsStatus,
} from "./disk-pools.ts";

/*
 * Disks of a host and the pools on them (pve-storage `src/PVE/API2/Disks.pm`, `Disks/{LVM,LVMThin,ZFS,Directory}.pm`).
 */

const gibibyte = 1024 ** 3;

/** The system disk of a node and two empty ones; a seed may list others. */
function disksOf(world: World, name: string): NodeDisk[] {
  const host = getNode(world, name);
  host.disks ??= [
    {
      devpath: "/dev/sda",
      size: 500 * gibibyte,
      model: "SIMULATED_SSD",
      serial: `${name}-0`,
      type: "ssd",
      used: "LVM",
    },
    { devpath: "/dev/sdb", size: 1000 * gibibyte, model: "SIMULATED_SSD", serial: `${name}-1`, type: "ssd" },
    { devpath: "/dev/sdc", size: 1000 * gibibyte, model: "SIMULATED_SSD", serial: `${name}-2`, type: "ssd" },
  ];
  return host.disks;
}

const idLink = ({ model, serial }: NodeDisk) => `/dev/disk/by-id/ata-${model}_${serial}`;

/** `verify_blockdev_path`: links are followed. */
function findDisk(world: World, name: string, device: string): NodeDisk {
  const path = device.startsWith("/") ? device : `/${device}`;
  if (!path.startsWith("/dev/")) {
    die(`got unusual device path '${path}'`);
  }
  return (
    disksOf(world, name).find((found) => found.devpath === path || idLink(found) === path) ??
    die("not a valid block device")
  );
}

function unusedDisk(world: World, name: string, device: string): NodeDisk {
  const disk = findDisk(world, name, device);
  if (disk.used !== undefined) {
    die(`device '${disk.devpath}' is already in use`);
  }
  return disk;
}

interface Creation {
  readonly kind: Kind;
  readonly devices: readonly string[];
  readonly addStorage: boolean;
  readonly settings?: Record<string, string>;
}

function create(call: Call<{ name: string }>, { kind, devices, addStorage, settings = {} }: Creation): string {
  const { world, params, node: here } = call;
  const disks = devices.map((device) => unusedDisk(world, here, device));
  if (addStorage && world.storages[params.name] !== undefined) {
    die(`storage ID '${params.name}' already defined`);
  }
  if (poolsOf(world, here).some((pool) => isSameName(pool, kind, params.name))) {
    die(kind.taken(params.name, here));
  }
  return call.worker(`${kind.task}create`, params.name, () => {
    const size = disks.reduce((sum, disk) => sum + disk.size, 0);
    for (const disk of disks) {
      disk.used = kind.usage;
    }
    poolsOf(world, here).push({
      type: kind.type,
      name: params.name,
      devices: disks.map(({ devpath }) => devpath),
      size,
      settings,
    });
    if (addStorage) {
      const { type, options } = kind.storage(params.name);
      world.storages[params.name] = {
        storage: params.name,
        type,
        options: { ...options, nodes: here },
        capacity: { total: size, used: 0 },
        speed: 8e9,
      };
    }
  });
}

/** Volume groups have names of their own, whatever is in them; so has each other kind. */
const isSameName = (pool: DiskPool, { type, usage }: Kind, name: string): boolean =>
  usage === "LVM" ? volumeGroup(pool) === name : pool.type === type && pool.name === name;

interface Removal {
  name: string;
  "cleanup-disks"?: 0 | 1 | undefined;
  "cleanup-config"?: 0 | 1 | undefined;
}

function remove(call: Call<Removal>, kind: Kind): string {
  const { world, params, node: here } = call;
  return call.worker(`${kind.task}remove`, params.name, () => {
    const host = getNode(world, here);
    const pool = poolsOf(world, here).find(({ name, type }) => name === params.name && type === kind.type);
    if (pool === undefined) {
      const missing = {
        lvm: `no such volume group '${params.name}'`,
        zfs: `cannot open '${params.name}': no such pool`,
      };
      die(missing[kind.type as "lvm" | "zfs"] ?? `no such ${kind.type} '${params.name}'`);
    }
    host.diskPools = poolsOf(world, here).filter((other) => other !== pool);
    for (const disk of disksOf(world, here).filter(({ devpath }) => pool?.devices.includes(devpath))) {
      if (params["cleanup-disks"] === 1) {
        delete disk.used;
      } else {
        disk.used = "partitions";
      }
    }
    if (params["cleanup-config"] === 1) {
      delete world.storages[params.name];
    }
  });
}

const mayRead = { check: ["perm", "/", ["Sys.Audit"]] } as const;
const mayWrite = { check: ["perm", "/", ["Sys.Modify"]] } as const;
const onNode = { protected: true, proxyTo: "node" } as const;
const poolName = string({ format: storageIdFormat });
const flag = boolean({ optional: true });
const disk = string({ pattern: "^/dev/[a-zA-Z0-9\\/]+$" });

function listOf(kind: Kind, shown: (world: World, here: string) => unknown): Endpoint {
  return endpoint({
    ...onNode,
    method: "GET",
    path: `/nodes/{node}/disks/${kind.type}`,
    permissions: mayRead,
    parameters: { node },
    handler: ({ world, node: here }) => shown(world, here),
  });
}

function removeOf(kind: Kind, more: Properties = {}): Endpoint {
  return endpoint({
    ...onNode,
    method: "DELETE",
    path: `/nodes/{node}/disks/${kind.type}/{name}`,
    permissions: mayWrite,
    parameters: { node, name: poolName, "cleanup-config": flag, "cleanup-disks": flag, ...more },
    handler: (call) => remove(call as Call<Removal>, kind),
  });
}

function createOf(kind: Kind, more: Properties = {}): Endpoint {
  return endpoint({
    ...onNode,
    method: "POST",
    path: `/nodes/{node}/disks/${kind.type}`,
    permissions: mayWrite,
    parameters: { node, name: poolName, device: string(), add_storage: flag, ...more },
    handler: (call) => {
      const { device, add_storage, filesystem } = call.params as {
        device: string;
        add_storage?: 0 | 1;
        filesystem?: string;
      };
      const settings: Record<string, string> = filesystem === undefined ? {} : { filesystem };
      const creation = { kind, devices: [device], addStorage: add_storage === 1, settings };
      return create(call as Call<{ name: string }>, creation);
    },
  });
}

const { lvm, lvmthin, zfs, directory } = kinds;

export const diskEndpoints = [
  indexEndpoint(
    "/nodes/{node}/disks",
    "name",
    ["list", "initgpt", "smart", "lvm", "lvmthin", "directory", "wipedisk", "zfs"],
    { proxyTo: "node" },
  ),
  endpoint({
    ...onNode,
    method: "GET",
    path: "/nodes/{node}/disks/list",
    permissions: { check: ["or", ["perm", "/", ["Sys.Audit"]], ["perm", "/nodes/{node}", ["Sys.Audit"]]] },
    parameters: {
      node,
      "include-partitions": flag,
      skipsmart: flag,
      type: string({ optional: true, enum: ["unused", "journal_disks"] }),
    },
    handler: ({ world, params, node: here }) =>
      disksOf(world, here)
        .filter(({ used }) => params.type !== "unused" || used === undefined)
        .map((found) => ({
          ...found,
          by_id_link: idLink(found),
          gpt: found.used === undefined ? 0 : 1,
          vendor: "ATA",
          wwn: "unknown",
          rpm: found.type === "ssd" ? 0 : 7200,
          osdid: -1,
          "osdid-list": null,
          ...(params.skipsmart === 1 ? {} : { health: "PASSED", wearout: found.type === "ssd" ? 100 : "N/A" }),
        })),
  }),
  endpoint({
    ...onNode,
    method: "GET",
    path: "/nodes/{node}/disks/smart",
    permissions: mayRead,
    parameters: { node, disk, healthonly: flag },
    handler: ({ world, params, node: here }) => {
      findDisk(world, here, params.disk);
      return { health: "PASSED", ...(params.healthonly === 1 ? {} : { type: "text", text: "" }) };
    },
  }),
  endpoint({
    ...onNode,
    method: "POST",
    path: "/nodes/{node}/disks/initgpt",
    permissions: mayWrite,
    parameters: { node, disk, uuid: string({ optional: true, maxLength: 36, pattern: "[a-fA-F0-9\\-]+" }) },
    handler: (call) => {
      const found = unusedDisk(call.world, call.node, call.params.disk);
      return call.worker("diskinit", found.devpath.replace("/dev/", ""), () => undefined);
    },
  }),
  endpoint({
    ...onNode,
    method: "PUT",
    path: "/nodes/{node}/disks/wipedisk",
    parameters: { node, disk },
    handler: (call) => {
      const found = findDisk(call.world, call.node, call.params.disk);
      return call.worker("wipedisk", found.devpath.replace("/dev/", ""), () => {
        delete found.used;
      });
    },
  }),
  listOf(lvm, lvmTree),
  createOf(lvm),
  removeOf(lvm),
  listOf(lvmthin, thinPools),
  createOf(lvmthin),
  removeOf(lvmthin, { "volume-group": string({ format: storageIdFormat }) }),
  listOf(directory, directories),
  createOf(directory, { filesystem: string({ optional: true, enum: ["ext4", "xfs"] }) }),
  removeOf(directory),
  listOf(zfs, zfsPools),
  removeOf(zfs),
  endpoint({
    ...onNode,
    method: "GET",
    path: "/nodes/{node}/disks/zfs/{name}",
    permissions: mayRead,
    parameters: { node, name: poolName },
    handler: ({ world, params, node: here }) => {
      const pool = poolsOfType(world, here, "zfs").find(({ name }) => name === params.name);
      return pool === undefined ? die(`cannot open '${params.name}': no such pool`) : zfsStatus(pool);
    },
  }),
  endpoint({
    ...onNode,
    method: "POST",
    path: "/nodes/{node}/disks/zfs",
    permissions: mayWrite,
    parameters: {
      node,
      name: poolName,
      add_storage: flag,
      ashift: integer({ optional: true, minimum: 9, maximum: 16 }),
      compression: string({ optional: true, enum: ["on", "off", "gzip", "lz4", "lzjb", "zle", "zstd"] }),
      devices: string({ format: stringListFormat }),
      "draid-config": string({
        optional: true,
        format: propertyFormat({ data: integer({ minimum: 1 }), spares: integer({ minimum: 0 }) }),
      }),
      raidlevel: string({
        enum: ["single", "mirror", "raid10", "raidz", "raidz2", "raidz3", "draid", "draid2", "draid3"],
      }),
    },
    handler: (call) => {
      const { raidlevel, add_storage, compression = "on", ashift = 12 } = call.params;
      const devices = splitList(call.params.devices);
      for (const device of devices) {
        unusedDisk(call.world, call.node, device);
      }
      checkLevel(raidlevel, devices.length, call.params["draid-config"]);
      const settings = { raidlevel, compression, ashift: String(ashift) };
      return create(call, { kind: zfs, devices, addStorage: add_storage === 1, settings });
    },
  }),
];

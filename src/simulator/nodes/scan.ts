import { endpoint } from "../kernel/endpoint.ts";
import { string } from "../schema/schema.ts";
import { node } from "../schema/standard-options.ts";
import type { Storage } from "../world/storage.ts";
import type { World } from "../world/world.ts";

// pve-storage `src/PVE/API2/Storage/Scan.pm`: what could become a storage. Known is what the storages are made of.

function uniqueOptions(world: World, type: string, option: string): [string, Storage][] {
  const found = Object.values(world.storages).filter((storage) => storage.type === type);
  return [...new Map(found.map((storage) => [storage.options[option] ?? "", storage])).entries()].filter(
    ([name]) => name !== "",
  );
}

const common = {
  method: "GET",
  protected: true,
  proxyTo: "node",
  permissions: { check: ["perm", "/storage", ["Datastore.Allocate"]] },
} as const;

export const scanEndpoints = [
  endpoint({
    method: "GET",
    path: "/nodes/{node}/scan",
    permissions: { user: "all" },
    parameters: { node },
    handler: () => ["cifs", "iscsi", "lvm", "nfs", "pbs", "zfs"].map((method) => ({ method })),
  }),
  endpoint({
    ...common,
    path: "/nodes/{node}/scan/lvm",
    parameters: { node },
    handler: ({ world }) =>
      [...uniqueOptions(world, "lvm", "vgname"), ...uniqueOptions(world, "lvmthin", "vgname")].map(([vg]) => ({ vg })),
  }),
  endpoint({
    ...common,
    path: "/nodes/{node}/scan/lvmthin",
    parameters: {
      node,
      vg: string({ pattern: "[a-zA-Z0-9\\.\\+\\_][a-zA-Z0-9\\.\\+\\_\\-]+", maxLength: 100 }),
    },
    handler: ({ world, params }) =>
      uniqueOptions(world, "lvmthin", "thinpool")
        .filter(([, { options }]) => options["vgname"] === params.vg)
        .map(([lv]) => ({ lv })),
  }),
  endpoint({
    ...common,
    path: "/nodes/{node}/scan/zfs",
    parameters: { node },
    handler: ({ world }) => uniqueOptions(world, "zfspool", "pool").map(([pool]) => ({ pool })),
  }),
];

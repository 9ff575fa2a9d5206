import { isConnectionRefused } from "../core/kernel/connect.ts";
import { endpoint } from "../core/kernel/endpoint.ts";
import { die } from "../core/kernel/failure.ts";
import { indexEndpoint } from "../core/kernel/index-endpoint.ts";
import { integer, string } from "../core/schema/schema.ts";
import { node } from "../core/schema/standard-options.ts";
import type { Storage } from "../core/world/storage.ts";
import type { World } from "../core/world/world.ts";
import { portalFormat, storageServerFormat } from "../storage/formats.ts";
import { isReachable } from "../storage/reachability.ts";

// pve-storage `src/PVE/API2/Storage/Scan.pm`: sources for storages. The scan finds the sources of the existing
// storages.

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
  indexEndpoint("/nodes/{node}/scan", "method", ["cifs", "iscsi", "lvm", "nfs", "pbs", "zfs"]),
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
  endpoint({
    ...common,
    path: "/nodes/{node}/scan/nfs",
    parameters: { node, server: string({ format: storageServerFormat }) },
    handler: ({ world, node: here, params: { server } }) => {
      requireServer(
        world,
        here,
        server,
        `command '/sbin/showmount --no-headers --exports ${server}' failed: exit code 1`,
      );
      return ofServer(world, "nfs", server).map(({ options }) => ({ path: options["export"], options: "*" }));
    },
  }),
  endpoint({
    ...common,
    path: "/nodes/{node}/scan/cifs",
    parameters: {
      node,
      server: string({ format: storageServerFormat }),
      username: string({ optional: true }),
      password: string({ optional: true }),
      domain: string({ optional: true }),
    },
    handler: ({ world, params: { server } }) =>
      ofServer(world, "cifs", server).map(({ options }) => ({ share: options["share"], description: "" })),
  }),
  endpoint({
    ...common,
    path: "/nodes/{node}/scan/iscsi",
    parameters: { node, portal: string({ format: portalFormat }) },
    handler: () => die("error: no iscsi support - please install open-iscsi"),
  }),
  endpoint({
    ...common,
    path: "/nodes/{node}/scan/pbs",
    parameters: {
      node,
      server: string({ format: storageServerFormat }),
      username: string(),
      password: string(),
      fingerprint: string({ optional: true, pattern: "([A-Fa-f0-9]{2}:){31}[A-Fa-f0-9]{2}" }),
      port: integer({ optional: true, minimum: 1, maximum: 65535, default: 8007 }),
    },
    handler: async ({ world, node: here, params: { server, port = 8007 } }) => {
      const text = `error fetching datastores - 500 Can't connect to ${server}:${port}`;
      requireServer(world, here, server, `${text} (No route to host)`);
      if (await isConnectionRefused(server, port)) {
        die(`${text} (Connection refused)`);
      }
      return ofServer(world, "pbs", server).map(({ options }) => ({ store: options["datastore"] }));
    },
  }),
];

function ofServer(world: World, type: string, server: string): Storage[] {
  return Object.values(world.storages).filter(
    (storage) => storage.type === type && storage.options["server"] === server,
  );
}

function requireServer(world: World, here: string, server: string, text: string): void {
  if (!isReachable(world, here, server)) {
    die(text);
  }
}

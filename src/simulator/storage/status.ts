import { endpoint } from "../core/kernel/endpoint.ts";
import { paramError } from "../core/kernel/failure.ts";
import { indexEndpoint } from "../core/kernel/index-endpoint.ts";
import { splitList } from "../core/schema/format.ts";
import { nodeFormat, storageIdFormat } from "../core/schema/formats.ts";
import { boolean, string } from "../core/schema/schema.ts";
import { node, storageId } from "../core/schema/standard-options.ts";
import type { Storage } from "../core/world/storage.ts";
import type { World } from "../core/world/world.ts";
import { contentListFormat } from "./formats.ts";
import { contentTypes, imageFormats, isDisabled, isOnNode, isShared, isUsable } from "./storages.ts";
import { storageUsage } from "./usage.ts";

/** `PVE::Storage::storage_info` for one storage. */
function statusOf(world: World, storage: Storage, nodeName: string): Record<string, unknown> {
  const isEnabled = !isDisabled(storage) && isOnNode(storage, nodeName);
  const isActive = isEnabled && isUsable(storage);
  const { total, used } = isActive ? storageUsage(world, storage, nodeName) : { total: 0, used: 0 };
  return {
    type: storage.type,
    content: contentTypes(storage).join(","),
    shared: isShared(storage) ? 1 : 0,
    enabled: isEnabled ? 1 : 0,
    active: isActive ? 1 : 0,
    total,
    used,
    avail: total - used,
  };
}

function formatsOf(storage: Storage): Record<string, unknown> {
  const { valid, default: standard } = imageFormats(storage);
  return {
    formats: { supported: [...valid].sort(), default: standard },
    format: [Object.fromEntries(valid.map((format) => [format, 1])), standard],
    ...(storage.type.startsWith("iscsi") && { select_existing: 1 }),
  };
}

const mayRead = ["perm", "/storage/{storage}", ["Datastore.Audit", "Datastore.AllocateSpace"], { any: true }] as const;

/** pve-storage `src/PVE/API2/Storage/Status.pm`. */
export const storageStatusEndpoints = [
  endpoint({
    method: "GET",
    path: "/nodes/{node}/storage",
    protected: true,
    proxyTo: "node",
    permissions: { user: "all" },
    parameters: {
      node,
      content: string({ optional: true, format: contentListFormat }),
      enabled: boolean({ optional: true, default: 0 }),
      format: boolean({ optional: true, default: 0 }),
      storage: string({ optional: true, format: storageIdFormat }),
      target: string({ optional: true, format: nodeFormat }),
    },
    handler: ({ params, world, caller, node: here }) => {
      const wanted = params.content === undefined ? undefined : splitList(params.content);
      const isEnabled = (storage: Storage) => !isDisabled(storage) && isOnNode(storage, here);
      const known = Object.values(world.storages).filter(
        (storage) =>
          wanted === undefined || (isEnabled(storage) && contentTypes(storage).some((type) => wanted.includes(type))),
      );
      if (params.storage !== undefined && !known.some(({ storage }) => storage === params.storage)) {
        paramError({ storage: "No such storage." });
      }
      const target = params.target === here || params.target === "localhost" ? undefined : params.target;
      return known
        .filter(({ storage }) => caller.hasAny(`/storage/${storage}`, ["Datastore.Audit", "Datastore.AllocateSpace"]))
        .filter(({ storage }) => params.storage === undefined || params.storage === storage)
        .filter((storage) => params.enabled !== 1 || !isDisabled(storage))
        .filter(
          (storage) =>
            target === undefined || (isShared(storage) && isOnNode(storage, here) && isOnNode(storage, target)),
        )
        .map((storage) => {
          const status = statusOf(world, storage, here);
          const fraction = status["total"] ? { used_fraction: Number(status["used"]) / Number(status["total"]) } : {};
          const formats = params.format === 1 && isEnabled(storage) ? formatsOf(storage) : {};
          return { storage: storage.storage, ...status, ...fraction, ...formats };
        });
    },
  }),
  indexEndpoint(
    "/nodes/{node}/storage/{storage}",
    "subdir",
    [
      "content",
      "download-url",
      "file-restore",
      "import-metadata",
      "identity",
      "oci-registry-pull",
      "prunebackups",
      "rrd",
      "rrddata",
      "status",
      "upload",
    ],
    { permissions: { check: mayRead }, parameters: { node, storage: storageId } },
  ),
  endpoint({
    method: "GET",
    path: "/nodes/{node}/storage/{storage}/status",
    protected: true,
    proxyTo: "node",
    permissions: { check: mayRead },
    parameters: { node, storage: storageId },
    handler: ({ params, world, node: here }) => {
      const storage = world.storages[params.storage] ?? paramError({ storage: "No such storage." });
      return statusOf(world, storage, here);
    },
  }),
];

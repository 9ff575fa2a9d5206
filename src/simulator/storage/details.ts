import { type Call, endpoint } from "../core/kernel/endpoint.ts";
import { die, paramError } from "../core/kernel/failure.ts";
import { series, seriesParameters } from "../core/kernel/series.ts";
import { boolean, string } from "../core/schema/schema.ts";
import { node, storageId } from "../core/schema/standard-options.ts";
import { checkVolumeAccess } from "./access.ts";
import { getStorage } from "./storages.ts";
import { storageUsage } from "./usage.ts";

// pve-storage `src/PVE/API2/Storage/Status.pm` and `FileRestore.pm`: calls for one storage on one node.

const mayAudit = {
  check: ["perm", "/storage/{storage}", ["Datastore.Audit", "Datastore.AllocateSpace"], { any: true }],
} as const;
const onNode = { method: "GET", protected: true, proxyTo: "node" } as const;

/** Files can only be restored from backup servers, and there are no backups on one. */
function refuseFileRestore({ world, caller, given }: Call): never {
  const { storage: id = "", volume = "" } = given;
  const volid = volume.includes(":") ? volume : `${id}:${volume}`;
  checkVolumeAccess(world, caller, volid);
  if (getStorage(world, id).type !== "pbs") {
    paramError({ storage: "Only PBS storages supported for file-restore." });
  }
  return die(`unable to find snapshot '${volume}'`);
}

export const storageDetailEndpoints = [
  endpoint({
    ...onNode,
    path: "/nodes/{node}/storage/{storage}/identity",
    permissions: mayAudit,
    parameters: { node, storage: storageId },
    handler: ({ world, params }) => {
      getStorage(world, params.storage);
      return die("get_identity not implemented for this plugin at /usr/share/perl5/PVE/Storage/Plugin.pm line 2681.");
    },
  }),
  endpoint({
    ...onNode,
    path: "/nodes/{node}/storage/{storage}/rrddata",
    permissions: mayAudit,
    parameters: { node, storage: storageId, ...seriesParameters },
    handler: ({ sim, world, node: here, params: { storage, timeframe } }) => {
      const found = world.storages[storage];
      return series(sim, timeframe, found && storageUsage(world, found, here));
    },
  }),
  endpoint({
    ...onNode,
    path: "/nodes/{node}/storage/{storage}/file-restore/list",
    permissions: { user: "all" },
    parameters: { node, storage: storageId, volume: string(), filepath: string() },
    handler: (call) => refuseFileRestore(call),
  }),
  endpoint({
    ...onNode,
    path: "/nodes/{node}/storage/{storage}/file-restore/download",
    permissions: { user: "all" },
    parameters: {
      node,
      storage: storageId,
      volume: string(),
      filepath: string(),
      tar: boolean({ optional: true, default: 0 }),
    },
    handler: (call) => refuseFileRestore(call),
  }),
];

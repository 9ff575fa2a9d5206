import { type Call, endpoint } from "../core/kernel/endpoint.ts";
import { die } from "../core/kernel/failure.ts";
import type { Process } from "../core/kernel/process.ts";
import { type Parsed, parsePropertyString } from "../core/schema/property-string.ts";
import { string } from "../core/schema/schema.ts";
import { node, storageId, vmid } from "../core/schema/standard-options.ts";
import { pruneBackupsFormat } from "../storage/formats.ts";
import { freeImage } from "../storage/images.ts";
import { getEnabledStorage, getStorage, holds } from "../storage/storages.ts";
import { volumesOn } from "../storage/volumes.ts";
import { archiveInfo } from "./archive-name.ts";
import { markBackups, type PruneEntry } from "./retention.ts";

// `prune_backups` of pve-storage `src/PVE/Storage/Plugin.pm`, and `src/PVE/API2/Storage/PruneBackups.pm`.

export interface PruneOrder {
  readonly storage: string;
  /** Undefined: the retention of the storage. */
  readonly keep: Parsed | undefined;
  readonly vmid?: number | undefined;
  readonly type?: string | undefined;
}

/** What pruning would do with each backup. */
function planPruning({ sim, node: here }: Process, { storage: id, keep, ...only }: PruneOrder): PruneEntry[] {
  const { world } = sim;
  const storage = getStorage(world, id);
  if (!holds(storage, "backup")) {
    die(`storage '${id}' does not support backups`);
  }
  const text = storage.options["prune-backups"];
  const retention =
    keep ??
    parsePropertyString(pruneBackupsFormat, text ?? die(`no prune-backups options configured for storage '${id}'`));
  getEnabledStorage(world, id, here);
  const entries = volumesOn(world, id, here, only.vmid)
    .filter(({ content }) => content === "backup")
    .map((volume): PruneEntry & { isStandard: boolean } => {
      const info = archiveInfo(volume.volid);
      const owner = info?.vmid ?? volume.vmid;
      return {
        volid: volume.volid,
        ctime: info?.ctime ?? volume.ctime,
        type: info?.type ?? "unknown",
        ...(owner !== undefined && { vmid: owner }),
        ...(volume.protected ? { mark: "protected" } : info?.ctime === undefined ? { mark: "renamed" } : {}),
        isStandard: info?.ctime !== undefined,
      };
    })
    .filter(({ type }) => only.type === undefined || only.type === type);
  const groups = Map.groupBy(
    entries.filter(({ isStandard }) => isStandard),
    (entry) => `${entry.type}/${entry.vmid}`,
  );
  for (const group of groups.values()) {
    markBackups(group, retention);
  }
  return entries.map(({ isStandard: _, ...entry }) => entry);
}

/** Removes the backups that are not kept; returns their number. */
export function pruneBackups(process: Process, order: PruneOrder, log: (text: string) => void): number {
  const removed = planPruning(process, order).filter(({ mark }) => mark === "remove");
  for (const { volid } of removed) {
    log(`removing backup '${volid}'`);
    freeImage(process.sim.world, volid, process.node, log);
  }
  return removed.length;
}

const path = "/nodes/{node}/storage/{storage}/prunebackups";
const parameters = {
  node,
  storage: storageId,
  "prune-backups": string({ optional: true, format: pruneBackupsFormat }),
  type: string({ optional: true, enum: ["qemu", "lxc"] }),
  vmid: { ...vmid, optional: true },
} as const;

function orderOf(call: Call): PruneOrder {
  const { storage, vmid: id, type, "prune-backups": keep } = call.params as Record<string, string | number | undefined>;
  return {
    storage: String(storage),
    keep: keep === undefined ? undefined : parsePropertyString(pruneBackupsFormat, String(keep)),
    vmid: id === undefined ? undefined : Number(id),
    type: type === undefined ? undefined : String(type),
  };
}

export const pruneEndpoints = [
  endpoint({
    method: "GET",
    path,
    protected: true,
    proxyTo: "node",
    permissions: {
      check: ["perm", "/storage/{storage}", ["Datastore.Audit", "Datastore.AllocateSpace"], { any: true }],
    },
    parameters,
    handler: (call) => planPruning(call, orderOf(call)),
  }),
  endpoint({
    method: "DELETE",
    path,
    protected: true,
    proxyTo: "node",
    permissions: { user: "all" },
    parameters,
    handler: (call) => {
      const order = orderOf(call);
      if (order.vmid === undefined) {
        call.caller.check(`/storage/${order.storage}`, ["Datastore.Allocate"]);
      } else {
        call.caller.check(`/storage/${order.storage}`, ["Datastore.AllocateSpace"]);
        call.caller.check(`/vms/${order.vmid}`, ["VM.Backup"]);
      }
      const id = `${order.vmid === undefined ? "" : `${order.vmid}@`}${order.storage}`;
      return call.worker("prunebackups", id, (task) => {
        pruneBackups(task, order, (text) => task.print(text));
      });
    },
  }),
];

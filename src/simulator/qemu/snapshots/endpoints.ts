import { endpoint } from "../../core/kernel/endpoint.ts";
import { die, failureText } from "../../core/kernel/failure.ts";
import { migrationLock } from "../../core/kernel/locks.ts";
import type { Task } from "../../core/kernel/process.ts";
import { boolean, string } from "../../core/schema/schema.ts";
import { node, snapshotName, vmid } from "../../core/schema/standard-options.ts";
import type { Guest } from "../../core/world/guest.ts";
import { configDigest } from "../config/config-text.ts";
import { isTrue } from "../config/perl.ts";
import { typedSection } from "../config/stored-value.ts";
import { checkNonMigratable } from "../migration/non-migratable.ts";
import { requestStart } from "../power/start.ts";
import { checkLock, getVm, loadConfig, saveConfig, withConfigLock } from "../vm.ts";
import { createSnapshot } from "./create.ts";
import { deleteSnapshot, type SnapshotRemoval } from "./delete.ts";
import { rollbackSnapshot } from "./rollback.ts";

/** The snapshots and, last, the VM as it is now. */
function listSnapshots(guest: Guest): Record<string, unknown>[] {
  const { snapshots, config } = guest;
  const items = Object.entries(snapshots).map(([name, { snaptime, vmstate, description, parent, snapstate }]) => ({
    name,
    snaptime: Number(snaptime ?? 0),
    vmstate: isTrue(vmstate) ? 1 : 0,
    description: description ?? "",
    ...(isTrue(parent) && { parent }),
    ...(isTrue(snapstate) && { snapstate }),
  }));
  const current = {
    name: "current",
    digest: configDigest(guest),
    running: guest.run === undefined ? 0 : 1,
    description: "You are here!",
    ...(isTrue(config["parent"]) && { parent: config["parent"] }),
  };
  return [...items, current];
}

/** Unless forced, replication must not come in between. */
async function deleteLocked(task: Task, removal: SnapshotRemoval): Promise<void> {
  if (removal.force) {
    await deleteSnapshot(task, removal);
    return;
  }
  let obtained = false;
  try {
    await task.lock(migrationLock(removal.vmid), { seconds: 10 }, () => {
      obtained = true;
      return deleteSnapshot(task, removal);
    });
  } catch (thrown) {
    die(obtained ? failureText(thrown) : "Failed to obtain guest migration lock - replication running?");
  }
}

const path = "/nodes/{node}/qemu/{vmid}/snapshot";
const onVm = { protected: true, proxyTo: "node" } as const;
const maySnapshot = { check: ["perm", "/vms/{vmid}", ["VM.Snapshot"]] } as const;
const mayRollBack = { check: ["perm", "/vms/{vmid}", ["VM.Snapshot", "VM.Snapshot.Rollback"], { any: true }] } as const;
const mayRead = {
  check: ["perm", "/vms/{vmid}", ["VM.Snapshot", "VM.Snapshot.Rollback", "VM.Audit"], { any: true }],
} as const;

/** qemu-server `src/PVE/API2/Qemu.pm`. */
export const snapshotEndpoints = [
  endpoint({
    method: "GET",
    path,
    ...onVm,
    permissions: { check: ["perm", "/vms/{vmid}", ["VM.Audit"]] },
    parameters: { node, vmid },
    handler: (call) => listSnapshots(getVm(call, call.params.vmid)),
  }),
  endpoint({
    method: "POST",
    path,
    ...onVm,
    permissions: maySnapshot,
    parameters: {
      node,
      vmid,
      snapname: snapshotName,
      vmstate: boolean({ optional: true }),
      description: string({ optional: true }),
    },
    handler: (call) => {
      const { vmid: id, snapname, vmstate, description } = call.params;
      if (snapname === "current" || snapname.toLowerCase() === "pending") {
        die(`unable to use snapshot name '${snapname.toLowerCase()}' (reserved name)`);
      }
      checkNonMigratable(getVm(call, id).config, vmstate === 1);
      const request = { vmid: id, name: snapname, description, vmstate: vmstate === 1 };
      return call.worker("qmsnapshot", String(id), (task) => createSnapshot(task, request));
    },
  }),
  endpoint({
    method: "GET",
    path: `${path}/{snapname}`,
    permissions: { user: "all" },
    parameters: { node, vmid, snapname: snapshotName },
    handler: () => [{ cmd: "rollback" }, { cmd: "config" }],
  }),
  endpoint({
    method: "DELETE",
    path: `${path}/{snapname}`,
    ...onVm,
    permissions: maySnapshot,
    parameters: { node, vmid, snapname: snapshotName, force: boolean({ optional: true }) },
    handler: (call) => {
      const { vmid: id, snapname, force } = call.params;
      const removal = { vmid: id, name: snapname, force: force === 1 };
      return call.worker("qmdelsnapshot", String(id), (task) => deleteLocked(task, removal));
    },
  }),
  endpoint({
    method: "GET",
    path: `${path}/{snapname}/config`,
    proxyTo: "node",
    permissions: mayRead,
    parameters: { node, vmid, snapname: snapshotName },
    handler: (call) => {
      const { vmid: id, snapname } = call.params;
      const { snapshots } = getVm(call, id);
      return typedSection(snapshots[snapname] ?? die(`snapshot '${snapname}' does not exist`));
    },
  }),
  endpoint({
    method: "PUT",
    path: `${path}/{snapname}/config`,
    ...onVm,
    permissions: maySnapshot,
    parameters: { node, vmid, snapname: snapshotName, description: string({ optional: true }) },
    handler: async (call) => {
      const { vmid: id, snapname, description } = call.params;
      if (description === undefined) {
        return null;
      }
      await withConfigLock(call, id, () => {
        const conf = loadConfig(call, id);
        checkLock(conf);
        const snapshot = conf.snapshots[snapname] ?? die(`snapshot '${snapname}' does not exist`);
        snapshot["description"] = description;
        saveConfig(call, id, conf);
      });
      return null;
    },
  }),
  endpoint({
    method: "POST",
    path: `${path}/{snapname}/rollback`,
    ...onVm,
    permissions: mayRollBack,
    parameters: { node, vmid, snapname: snapshotName, start: boolean({ optional: true, default: 0 }) },
    handler: (call) => {
      const { vmid: id, snapname, start } = call.params;
      if (start === 1) {
        call.caller.check(`/vms/${id}`, ["VM.PowerMgmt"]);
      }
      return call.worker("qmrollback", String(id), (task) =>
        task.lock(migrationLock(id), { seconds: 10 }, async () => {
          await rollbackSnapshot(task, id, snapname);
          if (start === 1 && getVm(task, id).run === undefined) {
            requestStart(task, id);
          }
        }),
      );
    },
  }),
];

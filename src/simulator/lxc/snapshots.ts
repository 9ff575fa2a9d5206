import { endpoint } from "../core/kernel/endpoint.ts";
import { die, failureText } from "../core/kernel/failure.ts";
import { migrationLock } from "../core/kernel/locks.ts";
import type { Task } from "../core/kernel/process.ts";
import { boolean, string } from "../core/schema/schema.ts";
import { node, snapshotName, vmid } from "../core/schema/standard-options.ts";
import type { Guest } from "../core/world/guest.ts";
import { checkLock, containerDigest, getContainer, typedConfig, withContainerLock } from "./container.ts";
import { requestStart } from "./power.ts";
import { createSnapshot, deleteSnapshot, noteOf, rollbackSnapshot } from "./snapshot.ts";

// pve-container `src/PVE/API2/LXC/Snapshot.pm`.

/** The snapshots and, last, the container as it is now. */
function listSnapshots(guest: Guest): Record<string, unknown>[] {
  const { snapshots, config } = guest;
  const items = Object.entries(snapshots).map(([name, { snaptime, description, parent, snapstate }]) => ({
    name,
    snaptime: Number(snaptime ?? 0),
    description: description ?? "",
    ...(parent !== undefined && { parent }),
    ...(snapstate !== undefined && { snapstate }),
  }));
  const current = {
    name: "current",
    digest: containerDigest(guest),
    running: guest.run === undefined ? 0 : 1,
    description: "You are here!",
    ...(config["parent"] !== undefined && { parent: config["parent"] }),
  };
  return [...items, current];
}

/** Unless forced, replication must not come in between. */
async function deleteLocked(task: Task, id: number, name: string, force: boolean): Promise<void> {
  if (force) {
    await deleteSnapshot(task, id, name, true);
    return;
  }
  let obtained = false;
  try {
    await task.lock(migrationLock(id), { seconds: 10 }, () => {
      obtained = true;
      return deleteSnapshot(task, id, name, false);
    });
  } catch (thrown) {
    die(obtained ? failureText(thrown) : "Failed to obtain guest migration lock - replication running?");
  }
}

const path = "/nodes/{node}/lxc/{vmid}/snapshot";
const onContainer = { protected: true, proxyTo: "node" } as const;
const maySnapshot = { check: ["perm", "/vms/{vmid}", ["VM.Snapshot"]] } as const;
const mayRollBack = { check: ["perm", "/vms/{vmid}", ["VM.Snapshot", "VM.Snapshot.Rollback"], { any: true }] } as const;
const mayRead = {
  check: ["perm", "/vms/{vmid}", ["VM.Snapshot", "VM.Snapshot.Rollback", "VM.Audit"], { any: true }],
} as const;

export const containerSnapshotEndpoints = [
  endpoint({
    method: "GET",
    path,
    ...onContainer,
    permissions: { check: ["perm", "/vms/{vmid}", ["VM.Audit"]] },
    parameters: { node, vmid },
    handler: (call) => listSnapshots(getContainer(call, call.params.vmid)),
  }),
  endpoint({
    method: "POST",
    path,
    ...onContainer,
    permissions: maySnapshot,
    parameters: { node, vmid, snapname: snapshotName, description: string({ optional: true }) },
    handler: (call) => {
      const { vmid: id, snapname, description } = call.params;
      if (snapname === "current" || snapname === "vzdump") {
        die(`unable to use snapshot name '${snapname}' (reserved name)`);
      }
      return call.worker("vzsnapshot", String(id), (task) => createSnapshot(task, id, snapname, description));
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
    ...onContainer,
    permissions: maySnapshot,
    parameters: { node, vmid, snapname: snapshotName, force: boolean({ optional: true }) },
    handler: (call) => {
      const { vmid: id, snapname, force } = call.params;
      return call.worker("vzdelsnapshot", String(id), (task) => deleteLocked(task, id, snapname, force === 1));
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
      const { snapshots } = getContainer(call, id);
      return typedConfig(snapshots[snapname] ?? die(`snapshot '${snapname}' does not exist`));
    },
  }),
  endpoint({
    method: "PUT",
    path: `${path}/{snapname}/config`,
    ...onContainer,
    permissions: maySnapshot,
    parameters: { node, vmid, snapname: snapshotName, description: string({ optional: true }) },
    handler: async (call) => {
      const { vmid: id, snapname, description } = call.params;
      if (description === undefined) {
        return null;
      }
      await withContainerLock(call, id, () => {
        const guest = getContainer(call, id);
        checkLock(guest);
        const snapshot = guest.snapshots[snapname] ?? die(`snapshot '${snapname}' does not exist`);
        snapshot["description"] = noteOf(description);
        if (description === "") {
          delete snapshot["description"];
        }
      });
      return null;
    },
  }),
  endpoint({
    method: "POST",
    path: `${path}/{snapname}/rollback`,
    ...onContainer,
    permissions: mayRollBack,
    parameters: { node, vmid, snapname: snapshotName, start: boolean({ optional: true, default: 0 }) },
    handler: (call) => {
      const { vmid: id, snapname, start } = call.params;
      return call.worker("vzrollback", String(id), (task) =>
        task.lock(migrationLock(id), { seconds: 10 }, async () => {
          await rollbackSnapshot(task, id, snapname);
          if (start === 1) {
            requestStart(task, id);
          }
        }),
      );
    },
  }),
];

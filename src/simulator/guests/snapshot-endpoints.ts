import { type Call, type Endpoint, endpoint } from "../core/kernel/endpoint.ts";
import { die, failureText } from "../core/kernel/failure.ts";
import { indexEndpoint } from "../core/kernel/index-endpoint.ts";
import { migrationLock } from "../core/kernel/locks.ts";
import { onGuest } from "../core/kernel/on-node.ts";
import type { Process, Task, WorkerBody } from "../core/kernel/process.ts";
import { boolean, type Properties, string } from "../core/schema/schema.ts";
import { node, snapshotName, vmid } from "../core/schema/standard-options.ts";
import { type Guest, getSnapshot, type Section } from "../core/world/guest.ts";

/** The specific part of snapshots of one kind of guest. */
export interface SnapshotKind {
  readonly type: Guest["type"];
  /** The start of the types of its tasks, before `snapshot`, `delsnapshot` and `rollback`. */
  readonly taskPrefix: "qm" | "vz";
  /** Further parameters of a new snapshot. */
  readonly parameters: Properties;
  getGuest(process: Process, id: number): Guest;
  digest(guest: Guest): string;
  /** Further members of a snapshot in the list. */
  details?(snapshot: Section): object;
  describe(snapshot: Section): Record<string, unknown>;
  /** Checks a new snapshot; returns the work of its task. */
  create(call: Call, id: number, name: string): WorkerBody;
  remove(task: Task, id: number, name: string, force: boolean): Promise<void>;
  setDescription(call: Call, id: number, name: string, description: string): Promise<void>;
  rollback(task: Task, id: number, name: string): Promise<void>;
  /** Checks that a rollback may start the guest. */
  checkStart?(call: Call, id: number): void;
  start(task: Task, id: number): void;
}

/** The snapshots and, as the last entry, the current state of the guest. */
function listSnapshots(kind: SnapshotKind, guest: Guest): Record<string, unknown>[] {
  const { snapshots, config } = guest;
  const items = Object.entries(snapshots).map(([name, snapshot]) => {
    const { snaptime, description, parent, snapstate } = snapshot;
    return {
      name,
      snaptime: Number(snaptime ?? 0),
      ...kind.details?.(snapshot),
      description: description ?? "",
      ...(parent && { parent }),
      ...(snapstate && { snapstate }),
    };
  });
  const current = {
    name: "current",
    digest: kind.digest(guest),
    running: guest.run === undefined ? 0 : 1,
    description: "You are here!",
    ...(config["parent"] && { parent: config["parent"] }),
  };
  return [...items, current];
}

/** Unless forced, replication must not run at the same time. */
async function removeLocked(kind: SnapshotKind, task: Task, id: number, name: string, force: boolean): Promise<void> {
  if (force) {
    await kind.remove(task, id, name, true);
    return;
  }
  let obtained = false;
  try {
    await task.lock(migrationLock(id), { seconds: 10 }, () => {
      obtained = true;
      return kind.remove(task, id, name, false);
    });
  } catch (thrown) {
    die(obtained ? failureText(thrown) : "Failed to obtain guest migration lock - replication running?");
  }
}

const named = { node, vmid, snapname: snapshotName };
const mayRollBack = { check: ["perm", "/vms/{vmid}", ["VM.Snapshot", "VM.Snapshot.Rollback"], { any: true }] } as const;
const mayRead = {
  check: ["perm", "/vms/{vmid}", ["VM.Snapshot", "VM.Snapshot.Rollback", "VM.Audit"], { any: true }],
} as const;

/** List, take, delete and roll back snapshots of one kind of guest. */
export function snapshotEndpoints(kind: SnapshotKind): Endpoint[] {
  const path = `/nodes/{node}/${kind.type}/{vmid}/snapshot`;
  return [
    endpoint({
      method: "GET",
      path,
      ...onGuest("VM.Audit"),
      parameters: { node, vmid },
      handler: (call) => listSnapshots(kind, kind.getGuest(call, call.params.vmid)),
    }),
    endpoint({
      method: "POST",
      path,
      ...onGuest("VM.Snapshot"),
      parameters: { ...named, description: string({ optional: true }), ...kind.parameters },
      handler: (call) => {
        const { vmid: id, snapname } = call.params as { vmid: number; snapname: string };
        return call.worker(`${kind.taskPrefix}snapshot`, String(id), kind.create(call, id, snapname));
      },
    }),
    indexEndpoint(`${path}/{snapname}`, "cmd", ["rollback", "config"], { parameters: named }),
    endpoint({
      method: "DELETE",
      path: `${path}/{snapname}`,
      ...onGuest("VM.Snapshot"),
      parameters: { ...named, force: boolean({ optional: true }) },
      handler: (call) => {
        const { vmid: id, snapname, force } = call.params;
        return call.worker(`${kind.taskPrefix}delsnapshot`, String(id), (task) =>
          removeLocked(kind, task, id, snapname, force === 1),
        );
      },
    }),
    ...contentEndpoints(kind, path),
  ];
}

function contentEndpoints(kind: SnapshotKind, path: string): Endpoint[] {
  return [
    endpoint({
      method: "GET",
      path: `${path}/{snapname}/config`,
      proxyTo: "node",
      permissions: mayRead,
      parameters: named,
      handler: (call) => kind.describe(getSnapshot(kind.getGuest(call, call.params.vmid), call.params.snapname)),
    }),
    endpoint({
      method: "PUT",
      path: `${path}/{snapname}/config`,
      ...onGuest("VM.Snapshot"),
      parameters: { ...named, description: string({ optional: true }) },
      handler: async (call) => {
        const { vmid: id, snapname, description } = call.params;
        if (description !== undefined) {
          await kind.setDescription(call, id, snapname, description);
        }
        return null;
      },
    }),
    endpoint({
      method: "POST",
      path: `${path}/{snapname}/rollback`,
      protected: true,
      proxyTo: "node",
      permissions: mayRollBack,
      parameters: { ...named, start: boolean({ optional: true, default: 0 }) },
      handler: (call) => {
        const { vmid: id, snapname, start } = call.params;
        if (start === 1) {
          kind.checkStart?.(call, id);
        }
        return call.worker(`${kind.taskPrefix}rollback`, String(id), (task) =>
          task.lock(migrationLock(id), { seconds: 10 }, async () => {
            await kind.rollback(task, id, snapname);
            if (start === 1) {
              kind.start(task, id);
            }
          }),
        );
      },
    }),
  ];
}

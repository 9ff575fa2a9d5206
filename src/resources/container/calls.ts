import { setTimeout as sleep } from "node:timers/promises";
import type { Session } from "#kit";
import type { GuestAddress } from "#pve";
import type { GuestCalls } from "../guest/calls.ts";
import { settledReads } from "./requests.ts";

type Options = Parameters<GuestCalls["makeTemplate"]>[1];
type CreateRequest = Parameters<Session["lxc"]["create"]>[1];

/** The calls of a container. Server side: pve-container `src/PVE/API2/LXC.pm`. */
export const containerCalls = (api: Session): GuestCalls => ({
  ...api.lxc,
  ...settledReads(api),
  create: (node, request, options) => api.lxc.create(node, request as CreateRequest, options),
  ...api.containerPower,
  changeConfig: (container, { force: _, ...change }, { signal }) => api.lxc.updateConfig(container, change, { signal }),
  listSnapshots: api.containerSnapshots.list,
  takeSnapshot: api.containerSnapshots.create,
  rollback: api.containerSnapshots.rollback,
  moveVolume: (container, { slot, storage }, options) =>
    api.lxc.moveVolume(container, { volume: slot, storage, delete: true }, options),
  makeTemplate: (container, options) => makeTemplate(api, container, options),
  // PVE ignores `restart` for a stopped container.
  migrate(container, { target, storage, bandwidthLimit: bwlimit, graceSeconds }, options) {
    const restart = { restart: true, ...(graceSeconds !== undefined && { timeout: graceSeconds }) };
    return api.lxc.migrate(container, { target, "target-storage": storage, bwlimit, ...restart }, options);
  },
});

/** The list of tasks may show a new task a moment later. */
const looks = 10;
const clockSlackSeconds = 2;

/** The call starts a task and does not return its id: the task is looked up in the list. Null: it has ended already. */
async function makeTemplate(api: Session, container: GuestAddress, options: Options): Promise<string | null> {
  const { node, vmid } = container;
  const since = Math.floor(api.serverTime()) - clockSlackSeconds;
  await api.lxc.makeTemplate(container, options);
  for (let look = 0; look < looks; look++) {
    const filter = { source: "all", typefilter: "vztemplate", vmid, since } as const;
    const [task] = (await api.tasks.list(node, filter, options)).tasks;
    if (task) return task.upid;
    await sleep(api.settings.tasks.pollMs, undefined, { signal: options?.signal });
  }
  return null;
}

import { setTimeout as sleep } from "node:timers/promises";
import type { Session } from "#kit";
import type { ConfigChange, GuestAddress } from "#pve";
import type { GuestCalls } from "../guest/calls.ts";
import { mayWait } from "./live-changes.ts";
import { settledReads } from "./requests.ts";

type Options = Parameters<GuestCalls["makeTemplate"]>[1];
type CreateRequest = Parameters<Session["lxc"]["create"]>[1];

/** The calls of a container. Server side: pve-container `src/PVE/API2/LXC.pm`. */
export const containerCalls = (api: Session): GuestCalls => ({
  ...api.lxc,
  ...settledReads(api),
  create: (node, request, options) => api.lxc.create(node, request as CreateRequest, options),
  ...api.containerPower,
  changeConfig: (container, change, { signal }) => changeConfig(api, container, change, { signal }),
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

/**
 * A removal keeps a value that waits for a restart, and the restart sets it after it has removed the option (pve-container:
 * src/PVE/LXC/Config.pm, `update_pct_config`): the value is taken back first. PVE refuses both in one call.
 */
async function changeConfig(
  api: Session,
  container: GuestAddress,
  { force: _, ...change }: ConfigChange,
  options: Options,
): Promise<null> {
  const removed: readonly string[] = change.delete ?? [];
  const pending = removed.some(mayWait) ? await api.lxc.listPending(container, options) : [];
  const waiting = pending.filter((option) => removed.includes(option.key) && option.pending !== undefined);
  if (waiting.length === 0) return api.lxc.updateConfig(container, change, options);
  const { digest } = change;
  const revert = waiting.map(({ key }) => key);
  await api.lxc.updateConfig(container, { revert, ...(digest !== undefined && { digest }) }, options);
  if (digest === undefined) return api.lxc.updateConfig(container, change, options);
  const reverted = await api.lxc.getConfig(container, {}, options);
  return api.lxc.updateConfig(container, { ...change, digest: reverted.digest }, options);
}

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

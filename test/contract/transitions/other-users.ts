import { askAsOther, type Bench } from "../vm/suite.ts";

export type Meddling = (bench: Bench, vmid: number) => unknown;

/** Where a volume of each storage is moved to. */
export const others: Readonly<Record<string, string>> = {
  "local-lvm": "ceph",
  "local-zfs": "nas",
  nas: "local-lvm",
  ceph: "nas",
};

/**
 * PVE only queues what is asked of a guest under HA; its manager acts some seconds later. Another user waits for it, or until
 * the manager has given the guest up.
 */
async function untilManagerActed({ simulator }: Bench, sid: string, vmid: number): Promise<void> {
  const { world } = simulator.sim;
  const isWaiting = () => {
    const { resources, services } = world.ha;
    const state = resources[sid]?.options["state"] ?? "started";
    if (resources[sid] === undefined || state === "ignored" || services[sid]?.state === "error") return false;
    const isBusy = world.tasks.some(({ id, exitstatus }) => id === String(vmid) && exitstatus === undefined);
    const isRunning = world.guests[vmid]?.run !== undefined;
    return isBusy || services[sid]?.target !== undefined || isRunning !== (state === "started");
  };
  for (let left = 200; left > 0 && isWaiting(); left -= 1) await new Promise((resolve) => setTimeout(resolve, 5));
}

/** A backup of a guest, to make others from: its volume ID. */
export async function backedUp(bench: Bench, vmid: number): Promise<string> {
  await askAsOther(bench, "POST", `/nodes/${bench.guest(vmid).node}/vzdump`, { vmid: String(vmid), storage: "nas" });
  const made = bench.simulator.sim.world.volumes.find((one) => one.content === "backup" && one.vmid === vmid);
  if (made === undefined) throw new Error(`there is no backup of ${vmid}`);
  return made.volid;
}

/** Calls by another user to guests of one type. What PVE refuses has not happened. */
export function callsOfOthers(type: "qemu" | "lxc") {
  const ask = async (
    bench: Bench,
    vmid: number,
    method: string,
    path: string,
    parameters: Record<string, string> = {},
  ) => {
    const place = `/nodes/${bench.guest(vmid).node}/${type}/${vmid}/${path}`;
    const isDone = await askAsOther(bench, method, place, parameters);
    if (isDone) await untilManagerActed(bench, `${type === "qemu" ? "vm" : "ct"}:${vmid}`, vmid);
    return isDone;
  };
  const set = (bench: Bench, vmid: number, parameters: Record<string, string>) =>
    ask(bench, vmid, "PUT", "config", parameters);
  /** Removes the first of the options that the guest has. */
  const remove = (bench: Bench, vmid: number, options: readonly string[]) => {
    const found = options.find((option) => option in bench.guest(vmid).config);
    return found && set(bench, vmid, { delete: found });
  };
  return { ask, set, remove };
}

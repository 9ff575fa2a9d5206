import { type Lab, lab, labSeed } from "../lab.ts";

/** The lab, with a bridge that is up: VMs on it can be started. */
export const vmSeed = { ...labSeed, bridges: labSeed.bridges.map((bridge) => ({ ...bridge, active: 1 })) };

type Form = Record<string, string | number>;

export interface VmLab extends Lab {
  /** Creates a VM on pve1 and gives the task's exit status. */
  create(vmid: number, options?: Form, token?: string): Promise<string>;
  /** A VM's configuration without its digest. */
  config(vmid: number, query?: Form, node?: string): Promise<Record<string, unknown>>;
  /** Changes a VM's configuration at once. */
  set(vmid: number, options: Form, token?: string): Promise<unknown>;
  /** The options that wait for the VM's next start. */
  waiting(vmid: number): Promise<unknown[]>;
  /** As if a backup, a migration or the like had the VM in its hands. */
  lock(vmid: number, lock: string): void;
  /** What the last task said, without its end. */
  lastLog(): string[];
}

/** A simulator for tests of VMs, back at its seed before every test. */
export function vmLab(seed: object = vmSeed, speed?: number): VmLab {
  const base = lab(seed, speed);
  const { ask, run } = base;
  return Object.assign(base, {
    create: (vmid: number, options: Form = {}, token?: string) =>
      run("POST /nodes/pve1/qemu", { vmid, ...options }, token),
    config: async (vmid: number, query: Form = {}, node = "pve1") => {
      const answer = await ask(`GET /nodes/${node}/qemu/${vmid}/config`, query);
      if (typeof answer === "string") {
        throw new Error(answer);
      }
      const { digest: _, ...config } = answer as Record<string, unknown>;
      return config;
    },
    set: (vmid: number, options: Form, token?: string) => ask(`PUT /nodes/pve1/qemu/${vmid}/config`, options, token),
    waiting: async (vmid: number) => {
      const items = (await ask(`GET /nodes/pve1/qemu/${vmid}/pending`)) as Record<string, unknown>[];
      return items.filter((item) => "pending" in item || "delete" in item);
    },
    lock: (vmid: number, lock: string) => {
      const { guests } = base.simulator.sim.world;
      Object.assign(guests[vmid]?.config ?? {}, { lock });
    },
    lastLog: () => {
      const { log = [] } = base.simulator.sim.world.tasks.at(-1) ?? {};
      return log.filter((line) => !line.startsWith("TASK "));
    },
  });
}

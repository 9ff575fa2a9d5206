import { Cycle } from "../core/kernel/cycle.ts";
import { failureText } from "../core/kernel/failure.ts";
import type { Simulation } from "../core/kernel/simulation.ts";
import { nextEvent } from "../core/schema/calendar-event.ts";
import type { Guest } from "../core/world/guest.ts";
import type { ConfigSection } from "../core/world/section.ts";
import type { ReplicationState, World } from "../core/world/world.ts";
import { timestamp } from "../guests/migration-log.ts";
import { guestOf } from "../guests/replication-jobs.ts";
import { copySeconds, isShared } from "../storage/storages.ts";
import { addVolume, describeVolume, findVolume, removeVolume } from "../storage/volumes.ts";
import { replicatedVolumes } from "./volumes.ts";

/** pvescheduler checks once a minute. */
const roundSeconds = 60;
const defaultSchedule = "*/15";

export function newState(): ReplicationState {
  return { lastTry: 0, lastSync: 0, duration: 0, failures: 0, log: [] };
}

/** `job_status` of pve-guest-common `src/PVE/ReplicationState.pm`: when a job is due; 0 for never. */
export function nextSync(world: World, { options }: ConfigSection, state: ReplicationState): number {
  if (options["remove_job"] !== undefined) {
    return 1;
  }
  if (state.failures > 0) {
    const isReachable = world.nodes[String(options["target"])]?.online === true;
    return isReachable ? state.lastTry + 60 * (state.failures <= 3 ? 5 * state.failures : 30) : 0;
  }
  return nextEvent(String(options["schedule"] ?? defaultSchedule), state.lastTry) ?? 0;
}

/**
 * pvesr, run by the scheduler: copies the volumes of guests to other nodes, and cleans up jobs that were marked for
 * removal (pve-guest-common `src/PVE/Replication.pm`).
 */
export class ReplicationRunner {
  readonly #sim: Simulation;
  readonly #running = new Set<string>();
  readonly #cycle = new Cycle();

  constructor(sim: Simulation) {
    this.#sim = sim;
  }

  start(): void {
    this.#running.clear();
    this.#cycle.start(this.#sim.clock, roundSeconds, () => this.round());
  }

  stop(): void {
    this.#cycle.stop();
  }

  round(): void {
    const { world, clock } = this.#sim;
    for (const [id, job] of Object.entries(world.replication.jobs)) {
      const guest = world.guests[guestOf(id)];
      world.replication.states[id] ??= newState();
      const state = world.replication.states[id];
      const due = nextSync(world, job, state);
      const isDisabled = job.options["disable"] === "1" && job.options["remove_job"] === undefined;
      if (guest !== undefined && !isDisabled && !this.#running.has(id) && due > 0 && due <= clock.now()) {
        void this.#run(id, job, guest, state);
      }
    }
  }

  async #run(id: string, job: ConfigSection, guest: Guest, state: ReplicationState): Promise<void> {
    const { clock } = this.#sim;
    const started = clock.now();
    this.#running.add(id);
    state.log = [];
    state.lastTry = Math.floor(started);
    const log = (text: string) => state.log.push(`${timestamp(clock.now())} ${id}: ${text}`);
    log("start replication job");
    try {
      if (job.options["remove_job"] === undefined) {
        await this.#replicate(job, guest, log);
        state.lastSync = state.lastTry;
      } else {
        this.#remove(id, job, guest, log);
      }
      state.failures = 0;
      delete state.error;
      log("end replication job");
    } catch (thrown) {
      state.failures++;
      state.error = failureText(thrown).trimEnd();
      log(`end replication job with error: ${state.error}`);
    }
    state.duration = clock.since(started);
    this.#running.delete(id);
  }

  async #replicate(job: ConfigSection, guest: Guest, log: (text: string) => void): Promise<void> {
    const { world, clock } = this.#sim;
    const target = String(job.options["target"]);
    const volumes = replicatedVolumes(world, guest);
    log(`guest => ${guest.type === "qemu" ? "VM" : "CT"} ${guest.vmid}, running => ${guest.run === undefined ? 0 : 1}`);
    log(`volumes => ${volumes.join(",")}`);
    if (world.nodes[target]?.online !== true) {
      throw new Error(`command '/usr/bin/ssh ... root@${world.nodes[target]?.address}' failed: exit code 255`);
    }
    for (const volid of volumes) {
      const source = findVolume(world, volid, guest.node);
      const { storage } = describeVolume(world, volid);
      if (source !== undefined && !isShared(storage)) {
        const copy = findVolume(world, volid, target);
        log(
          `${copy === undefined ? "full" : "incremental"} sync '${volid}' (__replicate_${Math.floor(clock.now())}__)`,
        );
        await clock.sleep(copy === undefined ? copySeconds(source.size, storage) : 1);
        removeVolume(world, volid, target);
        addVolume(world, storage, { ...source, node: target });
      }
    }
  }

  /** Removes the job; with `full` after the copies on the other node. */
  #remove(id: string, { options }: ConfigSection, guest: Guest, log: (text: string) => void): void {
    const { world } = this.#sim;
    if (options["remove_job"] === "full") {
      for (const volid of replicatedVolumes(world, guest)) {
        log(`removing volume '${volid}' on node '${options["target"]}'`);
        removeVolume(world, volid, String(options["target"]));
      }
    }
    log("job removed");
    delete world.replication.jobs[id];
    delete world.replication.states[id];
  }
}

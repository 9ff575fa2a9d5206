import { rootCaller } from "../core/access/root-caller.ts";
import { Cycle } from "../core/kernel/cycle.ts";
import type { Task } from "../core/kernel/process.ts";
import type { Simulation } from "../core/kernel/simulation.ts";
import type { Guest } from "../core/world/guest.ts";
import type { HaService } from "../core/world/ha.ts";
import { requestedState } from "../guests/ha.ts";
import { candidates } from "./affinity.ts";
import { drivers } from "./drivers.ts";
import { managedNodes } from "./manager-nodes.ts";

/** One round of the cluster resource manager. */
const roundSeconds = 10;
/** An unreachable node is fenced by its watchdog after a minute, and given up after another. */
const fencingSeconds = 120;

/**
 * pve-ha-crm and pve-ha-lrm in one: in each round it checks every service, starts and stops guests as requested, moves
 * them on demand, and recovers them on another node when theirs is lost. It works through tasks of root@pam, as the
 * daemons do.
 */
export class HaManager {
  readonly #sim: Simulation;
  readonly #tasks = new Map<string, string>();
  readonly #cycle = new Cycle();

  constructor(sim: Simulation) {
    this.#sim = sim;
  }

  start(): void {
    this.#tasks.clear();
    this.#cycle.start(this.#sim.clock, roundSeconds, () => this.round());
  }

  stop(): void {
    this.#cycle.stop();
  }

  round(): void {
    const { ha, guests } = this.#sim.world;
    if (managedNodes(this.#sim.world).length === 0 || ha.disarmed !== undefined) {
      ha.services = {};
      return;
    }
    for (const sid of Object.keys(ha.services).filter((known) => ha.resources[known] === undefined)) {
      delete ha.services[sid];
    }
    for (const [sid, resource] of Object.entries(ha.resources)) {
      const guest = guests[sid.replace(/^\w+:/, "")];
      const wanted = requestedState(resource);
      if (guest === undefined || wanted === "ignored") {
        delete ha.services[sid];
        continue;
      }
      ha.services[sid] ??= { state: "request_start", node: guest.node };
      this.#attend(sid, ha.services[sid], guest, wanted);
    }
  }

  #attend(sid: string, service: HaService, guest: Guest, wanted: string): void {
    const { world } = this.#sim;
    if (!(world.nodes[guest.node]?.online ?? false)) {
      this.#recover(sid, service, guest, wanted);
      return;
    }
    delete service.lostAt;
    service.node = guest.node;
    if (this.#isBusy(sid)) {
      return;
    }
    if (service.state === "error") {
      // Only `disabled` ends it (`next_state_error`).
      if (wanted === "disabled") {
        service.state = "stopped";
        forgetFailures(service);
      }
      return;
    }
    const { target } = service;
    const isRunning = guest.run !== undefined;
    if (target !== undefined) {
      delete service.target;
      if (target !== guest.node && (world.nodes[target]?.online ?? false)) {
        service.state = "migrate";
        this.#order(sid, guest, "move", target);
        return;
      }
    }
    if (wanted === "started") {
      service.state = "started";
      if (isRunning) {
        forgetFailures(service);
      } else {
        this.#start(sid, service, guest);
      }
    } else {
      forgetFailures(service);
      service.state = isRunning ? "request_stop" : "stopped";
      if (isRunning) {
        this.#order(sid, guest, "stop");
      }
    }
  }

  /** Starts the guest; one that cannot start is tried on other nodes, and given up (`next_state_started`). */
  #start(sid: string, service: HaService, guest: Guest): void {
    const { world } = this.#sim;
    const { max_restart = "1", max_relocate = "1" } = world.ha.resources[sid]?.options ?? {};
    const { tries = 0, failedNodes = [] } = service;
    if (tries <= Number(max_restart)) {
      service.tries = tries + 1;
      this.#order(sid, guest, "start");
      return;
    }
    const failed = [...failedNodes, guest.node];
    const next = candidates(world, sid).find((node) => !failed.includes(node));
    if (failed.length > Number(max_relocate)) {
      service.state = "error";
      return;
    }
    Object.assign(service, { tries: 0, failedNodes: failed });
    if (next !== undefined) {
      this.#order(sid, guest, "move", next);
    }
  }

  /** The node is offline. When it is certain to be down, another node takes over the guest. */
  #recover(sid: string, service: HaService, guest: Guest, wanted: string): void {
    const { clock, world } = this.#sim;
    service.lostAt ??= clock.now();
    service.state = "fence";
    if (wanted === "disabled" || clock.since(service.lostAt) < fencingSeconds) {
      return;
    }
    const [node] = candidates(world, sid);
    service.state = "recovery";
    if (node !== undefined) {
      guest.run = undefined;
      delete guest.config["lock"];
      guest.node = node;
      service.node = node;
      delete service.lostAt;
    }
  }

  #isBusy(sid: string): boolean {
    const upid = this.#tasks.get(sid);
    return upid !== undefined && this.#sim.workers.isRunning(upid);
  }

  #order(sid: string, guest: Guest, action: "start" | "stop" | "move", target = ""): void {
    const { type, run } = drivers[guest.type === "qemu" ? "vm" : "ct"][action];
    const { world, workers } = this.#sim;
    const body = (task: Task) => run(task, guest.vmid, target);
    const caller = rootCaller(world);
    this.#tasks.set(sid, workers.fork({ node: guest.node, caller, type, id: String(guest.vmid), body }));
  }
}

function forgetFailures(service: HaService): void {
  delete service.tries;
  delete service.failedNodes;
}

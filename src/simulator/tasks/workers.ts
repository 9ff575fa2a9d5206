import { failureText } from "../kernel/failure.ts";
import type { Task } from "../kernel/process.ts";
import { RunningProcess } from "../kernel/running-process.ts";
import type { Simulation, WorkerOrder } from "../kernel/simulation.ts";
import type { TaskRecord } from "../world/tasks.ts";
import { encodeUpid } from "./upid.ts";

/** Ticks of the process start time that a UPID carries. */
const ticksPerSecond = 100;
/** How long the daemon usually takes to reap a worker and write it to the index. */
const reapingSeconds = 0.02;

/** A forked process: prints to its log and dies of SIGTERM. */
class Worker extends RunningProcess implements Task {
  readonly upid: string;
  readonly signal: AbortSignal;
  readonly #record: TaskRecord;
  warnings = 0;

  constructor(sim: Simulation, order: WorkerOrder, record: TaskRecord, signal: AbortSignal) {
    super(sim, order.node, order.caller);
    this.upid = record.upid;
    this.signal = signal;
    this.#record = record;
  }

  protected get interruption(): AbortSignal {
    return this.signal;
  }

  print(line: string): void {
    this.#record.log.push(...line.replace(/\n$/, "").split("\n"));
  }

  warn(text: string): void {
    this.warnings++;
    this.print(`WARN: ${text}`);
  }
}

/** PVE::RESTEnvironment's workers: forks them, knows which still run, reaps and archives them. */
export class Workers {
  readonly #sim: Simulation;
  readonly #running = new Map<string, AbortController>();
  #pids = 1000;

  constructor(sim: Simulation) {
    this.#sim = sim;
  }

  isRunning(upid: string): boolean {
    return this.#running.has(upid);
  }

  /** SIGTERM to the worker; it ends with `received interrupt` unless it handles that itself. */
  stop(upid: string): void {
    this.#running.get(upid)?.abort();
  }

  /** Ends every worker without a trace: the world they belong to is gone. */
  stopAll(): void {
    for (const controller of this.#running.values()) {
      controller.abort();
    }
    this.#running.clear();
  }

  fork(order: WorkerOrder): string {
    const { world, clock } = this.#sim;
    this.#pids += 1 + this.#sim.random.below(3);
    const booted = world.nodes[order.node]?.bootedAt ?? 0;
    const upid = {
      node: order.node,
      pid: this.#pids,
      pstart: Math.floor((clock.now() - booted) * ticksPerSecond),
      starttime: Math.floor(clock.now()),
      type: order.type,
      id: order.id,
      user: order.caller.id,
    };
    const record: TaskRecord = { ...upid, upid: encodeUpid(upid), log: [] };
    world.tasks.push(record);
    const controller = new AbortController();
    this.#running.set(record.upid, controller);
    const worker = new Worker(this.#sim, order, record, controller.signal);
    setImmediate(() => void this.#run(worker, record, order));
    return record.upid;
  }

  async #run(worker: Worker, record: TaskRecord, order: WorkerOrder): Promise<void> {
    let result: string;
    try {
      await order.body(worker);
      result = worker.warnings > 0 ? `WARNINGS: ${worker.warnings}` : "OK";
    } catch (thrown) {
      result = failureText(thrown).replace(/\n$/, "").replaceAll("\n", " ");
      record.log.push(`TASK ERROR: ${result}`);
    }
    if (record.log.at(-1) !== `TASK ERROR: ${result}`) {
      record.log.push(`TASK ${result}`);
    }
    if (!this.#running.delete(record.upid)) {
      return; // reset meanwhile
    }
    record.ended = this.#sim.clock.now();
    record.exitstatus = result;
    await this.#sim.clock.sleep(reapingSeconds);
    record.archived = Math.floor(this.#sim.clock.now());
  }
}

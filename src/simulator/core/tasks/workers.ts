import { die, failureText } from "../kernel/failure.ts";
import type { Task } from "../kernel/process.ts";
import { RunningProcess } from "../kernel/running-process.ts";
import type { Simulation, WorkerOrder, WorkerPool } from "../kernel/simulation.ts";
import type { TaskRecord } from "../world/tasks.ts";
import { encodeUpid } from "./upid.ts";

/** Clock ticks of the process start time in a UPID. */
const ticksPerSecond = 100;
/** How long the daemon usually takes to reap a worker and add it to the index. */
const reapingSeconds = 0.02;
/** How many times, a second apart, stopping a task checks whether it has ended before it is killed. */
const looksBeforeKill = 5;
/** Logs of older tasks are discarded. */
const mostRecords = 5000;

/** A forked process: prints to its log and ends on signals. */
class Worker extends RunningProcess implements Task {
  readonly upid: string;
  readonly record: TaskRecord;
  warnings = 0;
  #dawdle = 0;

  constructor(sim: Simulation, order: WorkerOrder, record: TaskRecord) {
    super(sim, order.node, order.caller);
    this.upid = record.upid;
    this.record = record;
  }

  /** Prolongs the next wait: a slow task is slow during its work, while its intermediate state is visible. */
  slowDown(seconds: number): void {
    this.#dawdle = seconds;
  }

  /** Work without any wait is slow at its end. */
  async catchUp(): Promise<void> {
    if (this.#dawdle > 0) await this.sleep(0);
  }

  override async sleep(seconds: number, deaf?: "uninterruptible"): Promise<void> {
    const extra = this.#dawdle;
    this.#dawdle = 0;
    await super.sleep(seconds + extra, deaf);
  }

  print(line: string): void {
    this.record.log.push(...line.replace(/\n$/, "").split("\n"));
  }

  warn(text: string): void {
    this.warnings++;
    this.print(`WARN: ${text}`);
  }
}

/** PVE::RESTEnvironment's workers: forks, tracks, stops, reaps and archives them. */
export class Workers implements WorkerPool {
  readonly #sim: Simulation;
  readonly #running = new Map<string, Worker>();
  #lastPid = 1000;

  constructor(sim: Simulation) {
    this.#sim = sim;
  }

  isRunning(upid: string): boolean {
    return this.#running.has(upid);
  }

  fork(order: WorkerOrder): string {
    const { world, clock, random } = this.#sim;
    this.#lastPid += 1 + random.below(3);
    const booted = world.nodes[order.node]?.bootedAt ?? 0;
    const starttime = clock.stamp();
    const process = {
      node: order.node,
      pid: this.#lastPid,
      pstart: Math.max(0, Math.floor((starttime - booted) * ticksPerSecond)),
      starttime,
      type: order.type,
      id: order.id,
      user: order.caller.id,
    };
    const record: TaskRecord = { ...process, upid: encodeUpid(process), began: clock.now(), log: [] };
    world.tasks.push(record);
    if (world.tasks.length > mostRecords) {
      world.tasks.shift();
    }
    const worker = new Worker(this.#sim, order, record);
    this.#running.set(record.upid, worker);
    setImmediate(() => void this.#run(worker, order));
    return record.upid;
  }

  async stop(upid: string): Promise<void> {
    this.#running.get(upid)?.terminate();
    await new Promise(setImmediate);
    for (let look = 0; look < looksBeforeKill && this.isRunning(upid); look++) {
      await this.#sim.clock.sleep(1);
    }
    const worker = this.#running.get(upid);
    if (worker !== undefined) {
      worker.kill();
      this.#end(worker, "unexpected status");
    }
  }

  /** Tasks of a world that was saved while they ran: their processes no longer exist. */
  failInterruptedTasks(): void {
    const now = this.#sim.clock.now();
    for (const task of this.#sim.world.tasks.filter((record) => record.archived === undefined)) {
      task.ended ??= now;
      task.exitstatus ??= "unexpected status";
      task.archived = now;
    }
  }

  /** Kills every worker without a trace, when their world is replaced. */
  abandonAll(): void {
    for (const worker of this.#running.values()) {
      worker.kill();
    }
    this.#running.clear();
  }

  async #run(worker: Worker, order: WorkerOrder): Promise<void> {
    let result: string;
    let verdict: string;
    try {
      await this.#work(worker, order);
      result = worker.warnings > 0 ? `WARNINGS: ${worker.warnings}` : "OK";
      verdict = `TASK ${result}`;
    } catch (thrown) {
      result = failureText(thrown).replace(/\n$/, "").replaceAll("\n", " ");
      verdict = `TASK ERROR: ${result}`;
    }
    if (this.isRunning(worker.upid)) {
      worker.record.log.push(verdict);
      this.#end(worker, result);
    }
  }

  async #work(worker: Worker, order: WorkerOrder): Promise<void> {
    const { delay, failure, after } = this.#sim.faults.onTask(order);
    worker.slowDown(delay ?? 0);
    if (failure === undefined || after) {
      await order.body(worker);
    }
    await worker.catchUp();
    if (failure !== undefined && !after) {
      order.abandon?.();
    }
    if (failure !== undefined) {
      die(failure);
    }
  }

  /** The process ends at once; the daemon notices a moment later. */
  #end(worker: Worker, result: string): void {
    const { record } = worker;
    this.#running.delete(record.upid);
    record.ended = this.#sim.clock.now();
    record.exitstatus = result;
    void this.#sim.clock.sleep(reapingSeconds).then(() => {
      record.archived = this.#sim.clock.now();
    });
  }
}

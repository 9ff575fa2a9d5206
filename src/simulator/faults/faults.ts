import type { Endpoint } from "../core/kernel/endpoint.ts";
import { die } from "../core/kernel/failure.ts";
import type { Process } from "../core/kernel/process.ts";
import type { CallFault, FaultBox, Revocation, TaskFault, WorkerOrder } from "../core/kernel/simulation.ts";
import type { Storage } from "../core/world/storage.ts";
import type { FaultKind, FaultOf, FaultOrder } from "./order.ts";

export interface OrderedFault {
  readonly id: number;
  readonly order: FaultOrder;
  /** Matches so far, and how many of them the fault affected. */
  matched: number;
  struck: number;
}

/** Executes orders that change the world at once. */
export type ApplyFault = (order: FaultOrder, answer: unknown) => void;

type Worker = Pick<WorkerOrder, "type" | "id" | "node">;

const nextIdCall = "GET /cluster/nextid";

/** The ordered faults, and the moments at which they take effect. */
export class Faults implements FaultBox {
  readonly #apply: ApplyFault;
  #ordered: OrderedFault[] = [];
  #lastId = 0;

  constructor(apply: ApplyFault) {
    this.#apply = apply;
  }

  order(order: FaultOrder): OrderedFault {
    const fault: OrderedFault = { id: ++this.#lastId, order, matched: 0, struck: 0 };
    if (isImmediate(order)) {
      fault.matched = fault.struck = 1;
      this.#apply(order, undefined);
    }
    this.#ordered.push(fault);
    return fault;
  }

  list(): readonly OrderedFault[] {
    return this.#ordered;
  }

  /** Removes one fault or all; changes of the world that a fault has made remain. */
  clear(id?: number): void {
    this.#ordered = id === undefined ? [] : this.#ordered.filter((fault) => fault.id !== id);
  }

  onCall(endpoint: Endpoint, moment: "before" | "after", answer?: unknown): CallFault | undefined {
    const name = `${endpoint.method} ${endpoint.path}`;
    let outcome: CallFault | undefined;
    for (const fault of this.#ordered) {
      const { order } = fault;
      if (callOf(order) === undefined || momentOf(order) !== moment || !matchesCall(callOf(order), endpoint, name)) {
        continue;
      }
      if (!counts(fault)) {
        continue;
      }
      if (order.do === "answer") {
        outcome = { status: order.status, reason: order.reason ?? proxyReasons[order.status] ?? "" };
      } else if (order.do === "reset") {
        outcome = "reset";
      } else {
        this.#apply(order, answer);
      }
    }
    return outcome;
  }

  onTask(worker: Worker): TaskFault {
    const result: TaskFault = {};
    for (const fault of this.#ordered) {
      const { order } = fault;
      if ((order.do !== "fail" && order.do !== "slow") || !isAbout(order, worker) || !counts(fault)) {
        continue;
      }
      if (order.do === "slow") {
        result.delay = (result.delay ?? 0) + order.seconds;
      } else {
        result.failure = order.text;
        result.after = order.after === 1;
      }
    }
    return result;
  }

  onFork(worker: Worker): void {
    if (this.#of("no_worker").some(({ fault, order }) => isAbout(order, worker) && counts(fault))) {
      die("got no worker upid - start worker failed");
    }
  }

  async onDelete(process: Process, storage: Storage, volume: string): Promise<void> {
    const fault = this.#of("refuse_delete").find(
      (candidate) => candidate.order.storage === storage.storage && counts(candidate.fault),
    );
    if (fault === undefined) {
      return;
    }
    if (storage.type === "zfspool") {
      // PVE tries a busy dataset six times, a second apart.
      await process.sleep(6);
    }
    die(fault.order.text ?? busyText(storage, volume));
  }

  get taskListLag(): number {
    return Math.max(0, ...this.#of("task_list_lag").map(({ order }) => order.seconds));
  }

  fileListLag(storage: string): number {
    const own = this.#of("file_list_lag").filter(({ order }) => order.storage === storage);
    return Math.max(0, ...own.map(({ order }) => order.seconds));
  }

  get revoked(): readonly Revocation[] {
    return this.#of("revoke")
      .filter(({ fault }) => fault.struck > 0)
      .map(({ order }) => ({
        privilege: order.privilege,
        userid: order.userid,
        path: order.path ?? "/",
      }));
  }

  #of<K extends FaultKind>(kind: K): { fault: OrderedFault; order: FaultOf<K> }[] {
    return this.#ordered.flatMap((fault) =>
      fault.order.do === kind ? [{ fault, order: fault.order as FaultOf<K> }] : [],
    );
  }
}

const isAbout = (order: FaultOf<"fail" | "slow" | "no_worker">, { type, id, node }: Worker): boolean =>
  order.task === type && (order.id ?? id) === id && (order.node ?? node) === node;

const proxyReasons: Readonly<Record<number, string>> = {
  595: "Connection refused",
  596: "Connection timed out",
  597: "Connection timed out",
  599: "Too many redirections",
};

function callOf(order: FaultOrder): string | undefined {
  return order.do === "take_vmid" ? nextIdCall : "call" in order ? order.call : undefined;
}

function isImmediate(order: FaultOrder): boolean {
  const waits = ["fail", "slow", "no_worker", "refuse_delete", "task_list_lag", "file_list_lag"].includes(order.do);
  return !waits && callOf(order) === undefined;
}

/** A call on which the world changes is answered with the state before the change. */
function momentOf(order: FaultOrder): "before" | "after" {
  if (order.do === "answer" || order.do === "reset") {
    return order.after === 1 ? "after" : "before";
  }
  return order.do === "expire_tickets" || order.do === "revoke" ? "before" : "after";
}

function matchesCall(wanted: string | undefined, endpoint: Endpoint, name: string): boolean {
  const [method, path] = (wanted ?? "").split(" ", 2);
  return (
    wanted === name || ((method === "*" || method === endpoint.method) && (path === "*" || path === endpoint.path))
  );
}

/** Whether the fault affects this match; counts the match in any case. */
function counts(fault: OrderedFault): boolean {
  const { order } = fault;
  const nth = ("nth" in order ? order.nth : undefined) ?? 1;
  const times = ("times" in order ? order.times : undefined) ?? (order.do === "refuse_delete" ? 0 : 1);
  fault.matched++;
  const affected = fault.matched >= nth && (times === 0 || fault.struck < times);
  fault.struck += affected ? 1 : 0;
  return affected;
}

function busyText(storage: Storage, volume: string): string {
  const { pool = "", vgname = "" } = storage.options;
  switch (storage.type) {
    case "zfspool":
      return `zfs error: cannot destroy '${pool}/${volume}': dataset is busy`;
    case "lvm":
    case "lvmthin":
      return `lvremove '${vgname}/${volume}' error:   Logical volume ${vgname}/${volume} in use.`;
    case "rbd":
      return `rbd rm '${volume}' error: rbd: error: image still has watchers`;
    default:
      return `unlink '${volume}' failed - Device or resource busy`;
  }
}

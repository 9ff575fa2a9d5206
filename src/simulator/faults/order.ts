import { privilegeFormat } from "../core/access/formats.ts";
import type { Failure } from "../core/kernel/failure.ts";
import { nodeFormat, storageIdFormat, vmidFormat } from "../core/schema/formats.ts";
import { boolean, integer, number, optional, type Properties, string, type Values } from "../core/schema/schema.ts";
import { checkParameters } from "../core/schema/validate.ts";
import { taskTypes } from "../core/tasks/task-types.ts";

/** When a fault takes effect: at the `nth` match, and `times` times from there on (0: always). */
const counting = {
  nth: optional(integer({ minimum: 1, default: 1 })),
  times: optional(integer({ minimum: 0, default: 1 })),
};
/** `POST /nodes/{node}/qemu/{vmid}/clone`, as in the API description; `*` matches any method or path. */
const call = string({ pattern: "(?:GET|POST|PUT|DELETE|\\*) (?:/.*|\\*)" });
/** The type of a task, as in its UPID. */
const task = string({ enum: taskTypes });
/** After the work is done instead of before it. */
const after = boolean({ optional: true, default: 0 });
const vmid = integer({ format: vmidFormat });
const node = string({ format: nodeFormat });
const seconds = number({ minimum: 0 });

/** All faults. One without `call` or `task` happens at once; the others wait for their match. */
const kinds = {
  /** A task fails with a text, by default before it does anything. */
  fail: { task, id: optional(string()), node: optional(node), text: string(), after, ...counting },
  /** A task takes longer. */
  slow: { task, id: optional(string()), node: optional(node), seconds, ...counting },
  /** The proxy answers instead: 595 (no connection), 596 (timeout), 599. */
  answer: { call, status: integer({ minimum: 400, maximum: 599 }), reason: optional(string()), after, ...counting },
  /** The connection is reset without an answer. */
  reset: { call, after, ...counting },
  /** Another process holds a guest's configuration lock. */
  hold_lock: { vmid, seconds, call: optional(call), ...counting },
  /** Volumes of a storage cannot be removed. */
  refuse_delete: { storage: string({ format: storageIdFormat }), text: optional(string()), times: counting.times },
  /** A node does not answer, permanently or for some seconds. */
  offline: { node, seconds: optional(seconds), reason: optional(string()), call: optional(call), ...counting },
  /**
   * A node's pvestatd hangs, permanently or for some seconds, and has done so for `age` seconds already. After 300
   * seconds the cluster drops its last broadcast.
   */
  stale_statistics: {
    node,
    seconds: optional(seconds),
    age: optional(number({ minimum: 0, default: 300 })),
    call: optional(call),
    ...counting,
  },
  /** An overloaded host cannot start a worker: the call fails and its task never starts. */
  no_worker: { task, id: optional(string()), node: optional(node), ...counting },
  /** Every ticket issued so far has expired. */
  expire_tickets: { call: optional(call), ...counting },
  /** A privilege is revoked, for one user or token or for all, on one path and below or everywhere. */
  revoke: {
    privilege: string({ format: privilegeFormat }),
    userid: optional(string()),
    path: optional(string()),
    call: optional(call),
    ...counting,
  },
  /** Task lists show the state from some seconds ago. */
  task_list_lag: { seconds },
  /** Lists of a storage show files some seconds after they were written, as network file systems with caches do. */
  file_list_lag: { storage: string({ format: storageIdFormat }), seconds },
  /** A guest and its disks are deleted by another client. */
  delete_vm: { vmid, call: optional(call), ...counting },
  /** A guest is moved to another node by another client. */
  move_vm: { vmid, node, call: optional(call), ...counting },
  /** Another client uses the VMID that `GET /cluster/nextid` has just returned. */
  take_vmid: { ...counting },
} satisfies Record<string, Properties>;

type Kinds = typeof kinds;

export type FaultKind = keyof Kinds;

export const faultKinds = Object.keys(kinds) as FaultKind[];

export type FaultOrder = { [K in FaultKind]: { readonly do: K } & Values<Kinds[K]> }[FaultKind];

export type FaultOf<K extends FaultKind> = Extract<FaultOrder, { do: K }>;

/** An invalid order; the message names the place. */
export class FaultError extends Error {
  constructor(place: string, problem: string) {
    super(`${place}: ${problem}`);
    this.name = "FaultError";
  }
}

/** Checks one order, for example `{"do":"fail","task":"qmclone","nth":2,"text":"…"}`. */
export function readFault(data: unknown, place: string): FaultOrder {
  if (typeof data !== "object" || data === null || Array.isArray(data)) {
    throw new FaultError(place, "must be an object");
  }
  const { do: kind, ...rest } = data as Record<string, unknown>;
  if (typeof kind !== "string" || !Object.hasOwn(kinds, kind)) {
    throw new FaultError(`${place}.do`, `must be one of ${faultKinds.join(", ")}`);
  }
  try {
    const { params } = checkParameters(kinds[kind as FaultKind], rest);
    return { do: kind, ...params } as unknown as FaultOrder;
  } catch (thrown) {
    const [name, problem] = Object.entries((thrown as Failure).errors ?? {})[0] ?? ["", String(thrown)];
    throw new FaultError(`${place}.${name}`, problem.trim());
  }
}

/** The short form of the command line: `fail,task=qmclone,nth=2,text=out of space`; a JSON object is also accepted. */
export function parseFault(text: string): FaultOrder {
  if (text.trimStart().startsWith("{")) {
    return readFault(JSON.parse(text), "fault");
  }
  const [kind, ...options] = text.split(",");
  const pairs = options.map((option) => {
    const at = option.indexOf("=");
    return at < 0 ? [option, "1"] : [option.slice(0, at), option.slice(at + 1)];
  });
  return readFault({ do: kind, ...Object.fromEntries(pairs) }, "fault");
}

import type { FaultOrder } from "#simulator";
import type { Dice } from "./dice.ts";
import type { Moment } from "./moments.ts";
import type { Part, Targets } from "./part.ts";

/** What goes wrong: a fault of the simulator, an event of a guest that is known by its name only, or another client. */
export type Trouble =
  | { readonly order: FaultOrder }
  | { readonly guest: string; readonly at: Moment; readonly what: GuestEvent }
  | { readonly meddle: string; readonly at: Moment };

export type GuestEvent =
  | { readonly do: "hold_lock"; readonly seconds: number }
  | { readonly do: "move_vm"; readonly node: string };

export const nodes = ["pve1", "pve2", "pve3"] as const;

/** What all parts have in common. */
const anyWrite = ["* *", "POST *", "PUT *", "DELETE *"] as const;

function targetsOf(parts: readonly Part[]): Targets {
  const all = (read: (targets: Targets) => readonly string[]) => parts.flatMap(({ targets }) => read(targets));
  return {
    tasks: all(({ tasks }) => tasks),
    writes: [...all(({ writes }) => writes), ...anyWrite],
    privileges: all(({ privileges }) => privileges),
  };
}

/** The error of a task: a lock, which is worth another attempt, or something else. */
const lastWords = [
  "can't lock file '/var/lock/qemu-server/lock-300.conf' - got timeout",
  "cfs-lock 'storage-nas' error: got lock request timeout",
  "command 'lvcreate' failed: exit code 5",
  "no space left on device",
] as const;

const anyMoment = (dice: Dice, most: number): Moment => ({
  of: dice.pick(["calls", "writes"]),
  nth: dice.int(1, most),
  when: dice.pick(["before", "after"]),
});

type Kind = (dice: Dice, guests: readonly string[], targets: Targets) => Trouble;

const lockedGuest: Kind = (dice, guests) => ({
  guest: dice.pick(guests),
  at: anyMoment(dice, 15),
  what: { do: "hold_lock", seconds: dice.int(3, 40) },
});

const movedGuest: Kind = (dice, guests) => ({
  guest: dice.pick(guests),
  at: anyMoment(dice, 20),
  what: { do: "move_vm", node: dice.pick(nodes) },
});

const guestKinds = new Set([lockedGuest, movedGuest]);

/** Each draws one fault; which, is drawn before. */
const kinds: readonly Kind[] = [
  (dice, _, { tasks }) => ({
    order: {
      do: "fail",
      task: dice.pick(tasks),
      text: dice.pick(lastWords),
      nth: dice.int(1, 3),
      after: dice.chance(0.4) ? 1 : 0,
    },
  }),
  (dice, _, { tasks }) => ({
    order: { do: "slow", task: dice.pick(tasks), seconds: dice.int(5, 200), nth: 1, times: dice.int(1, 4) },
  }),
  (dice, _, { writes }) => ({
    order: {
      do: "answer",
      call: dice.pick(writes),
      // "Could not connect" means that nothing was done.
      ...(dice.chance(0.4) ? { status: 595 } : { status: dice.pick([596, 599]), after: dice.chance(0.6) ? 1 : 0 }),
      nth: dice.int(1, 6),
      times: dice.int(1, 2),
    },
  }),
  (dice, _, { writes }) => ({
    order: { do: "reset", call: dice.pick(writes), after: dice.chance(0.6) ? 1 : 0, nth: dice.int(1, 6), times: 1 },
  }),
  lockedGuest,
  movedGuest,
  (dice) => ({
    order: { do: "refuse_delete", storage: dice.pick(["local-lvm", "ceph", "nas", "local"]), times: dice.int(1, 2) },
  }),
  // Shorter than HA takes to fence a node: the contents of its local storages would then be unreachable.
  (dice) => ({
    order: { do: "offline", node: dice.pick(nodes), seconds: dice.int(5, 100), call: "* *", nth: dice.int(1, 25) },
  }),
  (dice) => ({
    order: {
      do: "stale_statistics",
      node: dice.pick(nodes),
      age: dice.pick([0, 300]),
      ...(dice.chance(0.5) && { seconds: dice.int(20, 400) }),
      ...(dice.chance(0.7) && { call: "* *", nth: dice.int(1, 25) }),
    },
  }),
  (dice, _, { tasks }) => ({
    order: { do: "no_worker", task: dice.pick(tasks), nth: dice.int(1, 3), times: dice.int(1, 3) },
  }),
  (dice) => ({ order: { do: "expire_tickets", call: "* *", nth: dice.int(1, 20) } }),
  (dice, _, { privileges }) => ({
    order: { do: "revoke", privilege: dice.pick(privileges), call: "* *", nth: dice.int(1, 25) },
  }),
  (dice) => ({ order: { do: "task_list_lag", seconds: dice.int(1, 20) } }),
  () => ({ order: { do: "take_vmid" } }),
];

/** Other clients are as frequent as all faults of calls together. */
const meddlingWeight = 4;

export function drawTroubles(dice: Dice, guests: readonly string[], parts: readonly Part[]): Trouble[] {
  const targets = targetsOf(parts);
  const meddlings = parts.flatMap(({ meddlings: all = {} }) => Object.keys(all));
  const meddle = (): Trouble => ({ meddle: dice.pick(meddlings), at: anyMoment(dice, 20) });
  const fitting = guests.length > 0 ? kinds : kinds.filter((kind) => !guestKinds.has(kind));
  const all = meddlings.length > 0 ? [...fitting, ...Array(meddlingWeight).fill(meddle)] : fitting;
  return Array.from({ length: dice.int(0, 4) }, () => dice.pick(all)(dice, guests, targets));
}

/** How a Terraform command is interrupted, if it is. */
export interface Cut {
  /**
   * `provider`: the provider dies, and Terraform notices. `terraform`: both die, and the saved state counts.
   * `interrupt`: Ctrl-C.
   */
  readonly who: "provider" | "terraform" | "interrupt";
  readonly at: Moment;
}

export const drawCut = (dice: Dice): Cut | null =>
  dice.chance(0.5)
    ? { who: dice.pick(["provider", "provider", "terraform", "interrupt"]), at: anyMoment(dice, 24) }
    : null;

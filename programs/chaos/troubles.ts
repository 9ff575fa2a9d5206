import type { FaultOrder } from "#simulator";
import type { Dice } from "./dice.ts";
import type { Moment } from "./moments.ts";

/** What goes wrong: a fault of the simulator, or an event of a VM that is known by its name only. */
export type Trouble =
  | { readonly order: FaultOrder }
  | { readonly vm: string; readonly at: Moment; readonly what: VmEvent };

export type VmEvent =
  | { readonly do: "hold_lock"; readonly seconds: number }
  | { readonly do: "move_vm"; readonly node: string };

export const nodes = ["pve1", "pve2", "pve3"] as const;

const tasks = [
  ...["qmclone", "qmclone", "qmconfig", "resize", "qmmove", "qmigrate", "qmstart", "qmshutdown", "qmstop"],
  ...["qmdestroy", "imgdel", "imgcopy", "hastart", "hastop", "hamigrate", "cloudinit"],
] as const;
const writes = [
  "POST /nodes/{node}/qemu/{vmid}/clone",
  "PUT /nodes/{node}/qemu/{vmid}/config",
  "POST /nodes/{node}/qemu/{vmid}/config",
  "PUT /nodes/{node}/qemu/{vmid}/resize",
  "POST /nodes/{node}/qemu/{vmid}/move_disk",
  "POST /nodes/{node}/qemu/{vmid}/migrate",
  "POST /nodes/{node}/qemu/{vmid}/status/start",
  "POST /nodes/{node}/qemu/{vmid}/status/shutdown",
  "DELETE /nodes/{node}/qemu/{vmid}",
  "POST /nodes/{node}/storage/{storage}/upload",
  "DELETE /nodes/{node}/storage/{storage}/content/{volume}",
  "POST /cluster/ha/resources",
  "PUT /pools",
  "* *",
  "POST *",
  "PUT *",
  "DELETE *",
] as const;
const privileges = [
  ...["VM.Allocate", "VM.Audit", "VM.Clone", "VM.Config.Disk", "VM.Config.Options", "VM.Config.Network", "VM.Migrate"],
  ...["VM.PowerMgmt", "Datastore.AllocateSpace", "Datastore.Audit", "Datastore.AllocateTemplate", "Sys.Audit"],
] as const;

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

/** Each draws one fault; which, is drawn before. */
const kinds: readonly ((dice: Dice, names: readonly string[]) => Trouble)[] = [
  (dice) => ({
    order: {
      do: "fail",
      task: dice.pick(tasks),
      text: dice.pick(lastWords),
      nth: dice.int(1, 3),
      after: dice.chance(0.4) ? 1 : 0,
    },
  }),
  (dice) => ({
    order: { do: "slow", task: dice.pick(tasks), seconds: dice.int(5, 200), nth: 1, times: dice.int(1, 4) },
  }),
  (dice) => ({
    order: {
      do: "answer",
      call: dice.pick(writes),
      // "Could not connect" means that nothing was done.
      ...(dice.chance(0.4) ? { status: 595 } : { status: dice.pick([596, 599]), after: dice.chance(0.6) ? 1 : 0 }),
      nth: dice.int(1, 6),
      times: dice.int(1, 2),
    },
  }),
  (dice) => ({
    order: { do: "reset", call: dice.pick(writes), after: dice.chance(0.6) ? 1 : 0, nth: dice.int(1, 6), times: 1 },
  }),
  (dice, names) => ({
    vm: dice.pick(names),
    at: anyMoment(dice, 15),
    what: { do: "hold_lock", seconds: dice.int(3, 40) },
  }),
  (dice, names) => ({
    vm: dice.pick(names),
    at: anyMoment(dice, 20),
    what: { do: "move_vm", node: dice.pick(nodes) },
  }),
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
  (dice) => ({ order: { do: "no_worker", task: dice.pick(tasks), nth: dice.int(1, 3), times: dice.int(1, 3) } }),
  (dice) => ({ order: { do: "expire_tickets", call: "* *", nth: dice.int(1, 20) } }),
  (dice) => ({ order: { do: "revoke", privilege: dice.pick(privileges), call: "* *", nth: dice.int(1, 25) } }),
  (dice) => ({ order: { do: "task_list_lag", seconds: dice.int(1, 20) } }),
  () => ({ order: { do: "take_vmid" } }),
];

export const drawTroubles = (dice: Dice, names: readonly string[]): Trouble[] =>
  Array.from({ length: dice.int(0, 4) }, () => dice.pick(kinds)(dice, names));

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

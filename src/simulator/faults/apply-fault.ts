import { guestConfigLock, lockKey } from "../core/kernel/locks.ts";
import type { Simulation } from "../core/kernel/simulation.ts";
import { newGuest } from "../core/world/guest.ts";
import type { FaultOrder } from "./order.ts";

// Events in the cluster that no API call caused.

/** Another process takes the guest's configuration lock when it is free, and keeps it. */
export function holdLock(sim: Simulation, vmid: number, seconds: number): void {
  const guest = sim.world.guests[vmid];
  const key = lockKey(guestConfigLock(guest?.type ?? "qemu", vmid), guest?.node ?? sim.world.cluster.local);
  void (async () => {
    const release = await sim.locks.acquire(key, false, Number.MAX_SAFE_INTEGER / 1e9);
    await sim.clock.sleep(seconds);
    release?.();
  })();
}

function takeOffline(sim: Simulation, node: string, seconds: number | undefined, reason: string | undefined): void {
  const member = sim.world.nodes[node];
  if (member === undefined) {
    return;
  }
  member.online = false;
  if (reason !== undefined) {
    member.unreachable = reason;
  }
  if (seconds !== undefined) {
    void sim.clock.sleep(seconds).then(() => {
      member.online = true;
    });
  }
}

/** Makes the last broadcast of the node `age` seconds old, and prevents new ones. */
function hangStatistics(sim: Simulation, node: string, seconds: number | undefined, age = 300): void {
  const member = sim.world.nodes[node];
  if (member === undefined) {
    return;
  }
  member.statisticsHangSince = sim.clock.now() - age / sim.clock.speed;
  if (seconds !== undefined) {
    void sim.clock.sleep(seconds).then(() => {
      delete member.statisticsHangSince;
    });
  }
}

function deleteGuest(sim: Simulation, vmid: number): void {
  delete sim.world.guests[vmid];
  sim.world.volumes = sim.world.volumes.filter((volume) => volume.vmid !== vmid);
}

function moveGuest(sim: Simulation, vmid: number, node: string): void {
  const guest = sim.world.guests[vmid];
  if (guest === undefined || sim.world.nodes[node] === undefined) {
    return;
  }
  guest.node = node;
  sim.world.volumes = sim.world.volumes.map((volume) =>
    volume.vmid === vmid && volume.node !== undefined ? { ...volume, node } : volume,
  );
}

/** Another client creates a guest with the VMID that was just returned. */
function takeVmid(sim: Simulation, vmid: number): void {
  if (Number.isNaN(vmid)) {
    return; // no id was returned
  }
  sim.world.guests[vmid] ??= newGuest("qemu", vmid, sim.world.cluster.local, {
    name: "taken-by-another",
    memory: "512",
  });
}

/** Executes an order that changes the world; `answer` is the answer of the call that triggered it. */
export function applyFault(sim: Simulation, order: FaultOrder, answer: unknown): void {
  if (order.do === "hold_lock") {
    holdLock(sim, order.vmid, order.seconds);
  } else if (order.do === "offline") {
    takeOffline(sim, order.node, order.seconds, order.reason);
  } else if (order.do === "stale_statistics") {
    hangStatistics(sim, order.node, order.seconds, order.age);
  } else if (order.do === "expire_tickets") {
    sim.tickets.expireAll();
  } else if (order.do === "delete_vm") {
    deleteGuest(sim, order.vmid);
  } else if (order.do === "move_vm") {
    moveGuest(sim, order.vmid, order.node);
  } else if (order.do === "take_vmid") {
    takeVmid(sim, Number(answer));
  }
}

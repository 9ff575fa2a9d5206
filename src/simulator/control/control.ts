import type { Simulation } from "../core/kernel/simulation.ts";
import { newGuest } from "../core/world/guest.ts";
import type { Node } from "../core/world/node.ts";
import { holdLock } from "../faults/apply-fault.ts";
import { repairInterfaces, replaceFile } from "../network/staged.ts";
import { readInside } from "../seed/guests.ts";

/** A malformed request to the control endpoint. */
export class ControlError extends Error {}

const actions: Readonly<Record<string, (sim: Simulation, order: Record<string, unknown>) => unknown>> = {
  /**
   * Sets whether the guest responds to the agent and to ACPI, and which files and programs it has. The answer contains
   * the files, in base64, and the passwords that were set through the agent.
   */
  guest: (sim, { vmid, agent, acpi, files, exec }) => {
    const guest = sim.world.guests[Number(vmid)];
    if (guest === undefined) {
      throw new ControlError(`guest ${vmid} does not exist`);
    }
    guest.behaviour = {
      agent: typeof agent === "boolean" ? agent : guest.behaviour.agent,
      acpi: typeof acpi === "boolean" ? acpi : guest.behaviour.acpi,
    };
    const { inside } = readInside({ files, exec });
    if (inside !== undefined) {
      guest.inside = {
        ...guest.inside,
        files: { ...guest.inside?.files, ...inside.files },
        programs: [...(guest.inside?.programs ?? []), ...(inside.programs ?? [])],
      };
    }
    return guest.inside ?? {};
  },
  hold_lock: (sim, { vmid, seconds }) => holdLock(sim, Number(vmid), Number(seconds)),
  /** Adds an offline node that owns that guest. */
  remote_vm: (sim, { node, vmid, conf }) => {
    const name = String(node);
    sim.world.nodes[name] ??= downNode(sim, name);
    const config = Object.entries((conf ?? {}) as Record<string, unknown>).map(([key, value]) => [key, String(value)]);
    sim.world.guests[Number(vmid)] = newGuest("qemu", Number(vmid), name, Object.fromEntries(config));
  },
  /** Removes such a node and its guests. */
  drop_node: (sim, { node }) => {
    const name = String(node);
    delete sim.world.nodes[name];
    for (const guest of Object.values(sim.world.guests).filter((candidate) => candidate.node === name)) {
      delete sim.world.guests[guest.vmid];
    }
  },
  /** Replaces /etc/network/interfaces of a node, as with an editor; nothing is staged then. */
  interfaces: (sim, { node, text }) => {
    const name = String(node ?? sim.world.cluster.local);
    const host = sim.world.nodes[name];
    if (host === undefined || typeof text !== "string") {
      throw new ControlError(host === undefined ? `node '${name}' does not exist` : "'text' must be a text");
    }
    replaceFile(host, text);
  },
  /** Restores the interfaces of a node that lost its network, as from its console. */
  repair_network: (sim, { node }) => {
    const host = sim.world.nodes[String(node)];
    if (host?.lostInterfaces === undefined) {
      throw new ControlError(`node '${node}' has not lost its network`);
    }
    repairInterfaces(host);
  },
};

function downNode(sim: Simulation, name: string): Node {
  const local = sim.world.nodes[sim.world.cluster.local] as Node;
  const id = Object.keys(sim.world.nodes).length + 1;
  return { ...structuredClone(local), name, id, online: false, unreachable: "Connection refused" };
}

/** Out-of-band actions: `{"action":"hold_lock","vmid":100,"seconds":10}`. */
export function control(sim: Simulation, order: unknown): unknown {
  const { action, ...rest } = (order ?? {}) as Record<string, unknown>;
  const perform = typeof action === "string" && Object.hasOwn(actions, action) ? actions[action] : undefined;
  if (perform === undefined) {
    throw new ControlError(`'action' must be one of ${Object.keys(actions).join(", ")}`);
  }
  return perform(sim, rest);
}

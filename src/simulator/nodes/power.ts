import { startAll } from "../bulk/node-endpoints.ts";
import { rootCaller } from "../core/access/root-caller.ts";
import { endpoint } from "../core/kernel/endpoint.ts";
import { onNode } from "../core/kernel/on-node.ts";
import type { Simulation } from "../core/kernel/simulation.ts";
import { string } from "../core/schema/schema.ts";
import { node } from "../core/schema/standard-options.ts";
import { getNode, type Node } from "../core/world/node.ts";

/** The host receives the command after the answer. */
const delaySeconds = 2;
/** Seconds from the stop of its services until a rebooting host answers again. */
const bootSeconds = 60;

/** The guests stop with their host. A reboot brings it back; after a shutdown it needs a wake-on-LAN packet. */
async function powerOff(sim: Simulation, host: Node, comesBack: boolean): Promise<void> {
  await sim.clock.sleep(delaySeconds);
  for (const guest of Object.values(sim.world.guests).filter((candidate) => candidate.node === host.name)) {
    guest.run = undefined;
  }
  host.online = false;
  host.poweredOff = true;
  host.unreachable = "No route to host";
  if (comesBack) {
    await sim.clock.sleep(bootSeconds);
    bootNode(sim, host);
  }
}

/** The host is up again, and its pve-guests service starts the guests with `onboot`. */
export function bootNode(sim: Simulation, host: Node): void {
  if (host.online) {
    return;
  }
  host.online = true;
  delete host.poweredOff;
  delete host.unreachable;
  host.bootedAt = sim.clock.now();
  const caller = rootCaller(sim.world);
  sim.workers.fork({ node: host.name, caller, type: "startall", id: "", body: (task) => startAll(task) });
}

/** pve-manager `PVE/API2/Nodes.pm`, `node_cmd`. */
export const nodePowerEndpoints = [
  endpoint({
    method: "POST",
    path: "/nodes/{node}/status",
    ...onNode("Sys.PowerMgmt"),
    parameters: { node, command: string({ enum: ["reboot", "shutdown"] }) },
    handler: ({ sim, world, node: here, params }) => {
      void powerOff(sim, getNode(world, here), params.command === "reboot");
      return null;
    },
  }),
];

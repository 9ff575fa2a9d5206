import { rootCaller } from "../core/access/root-caller.ts";
import type { Process, Task } from "../core/kernel/process.ts";
import { getNode } from "../core/world/node.ts";
import type { SdnConfig } from "../core/world/sdn.ts";
import type { World } from "../core/world/world.ts";
import { applyInterfaces } from "../network/staged.ts";
import { frrConfig, hasRouting, sdnInterfaces } from "./node-files.ts";

/** The parts that an apply puts into effect and a rollback restores. */
function editedConfig({ sdn }: World): SdnConfig {
  const { zones, vnets, subnets, controllers, fabrics, prefixLists, routeMaps } = sdn;
  return structuredClone({ zones, vnets, subnets, controllers, fabrics, prefixLists, routeMaps });
}

/** `compile_running_cfg`: without `bump` the version is unchanged, as in a dry run. */
export function compileRunning(world: World, bump: 0 | 1): World["sdn"]["running"] {
  const { version } = world.sdn.running;
  return { version: version === 0 ? 1 : version + bump, ...editedConfig(world) };
}

export function commitSdn(world: World): void {
  world.sdn.running = compileRunning(world, 1);
}

export function rollbackSdn(world: World): void {
  const { version: _, ...config } = structuredClone(world.sdn.running);
  Object.assign(world.sdn, config);
}

/** pve-manager `PVE/API2/Network.pm`, reload_network_config: the work of `srvreload` on its node. */
export function reloadNode(task: Pick<Process, "sim" | "node" | "print">, regenerateFrr: boolean | undefined): void {
  const { world } = task.sim;
  const host = getNode(world, task.node);
  applyInterfaces(host);
  if (world.sdn.running.version > 0) {
    host.sdnInterfaces = sdnInterfaces(world.sdn.running, host, world.sdn.running.version, (text) => task.print(text));
  }
  if (regenerateFrr ?? hasRouting(world.sdn.running)) {
    host.frrConfig = frrConfig(world.sdn.running, host);
  }
}

/** Seconds between two checks whether a node's reload has ended. */
const pollSeconds = 0.1;

/** Reloads one node after the other, in a task of root@pam; a failure is logged and does not stop the others. */
export async function reloadEverywhere(task: Task, regenerateFrr: boolean): Promise<void> {
  const { sim } = task;
  const caller = rootCaller(sim.world);
  for (const { name, online } of Object.values(sim.world.nodes)) {
    task.print(`${name}: reloading network config`);
    const command = `command 'pvesh set /nodes/${name}/network --regenerate-frr ${Number(regenerateFrr)}' failed`;
    if (!online) {
      task.print(`${command}: exit code 255`);
      continue;
    }
    const upid = sim.workers.fork({
      node: name,
      caller,
      type: "srvreload",
      id: "networking",
      body: (reload) => reloadNode(reload, regenerateFrr),
    });
    while (sim.workers.isRunning(upid)) {
      await task.sleep(pollSeconds);
    }
    if (sim.world.tasks.find((record) => record.upid === upid)?.exitstatus !== "OK") {
      task.print(`${command}: exit code 255`);
    }
  }
}

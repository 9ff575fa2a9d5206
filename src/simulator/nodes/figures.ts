import type { Simulation } from "../core/kernel/simulation.ts";
import type { NodeFigures } from "../core/kernel/statistics.ts";
import type { Node } from "../core/world/node.ts";

const GiB = 2 ** 30;
/** Memory of an idle host. */
const hostMemory = GiB;

/** The load of a node: an idle host, and the guests that run on it. */
export function nodeFigures({ world, clock, statistics }: Simulation, node: Node): NodeFigures {
  const running = Object.values(world.guests)
    .filter((guest) => guest.node === node.name && guest.run !== undefined)
    .map(({ vmid }) => statistics.ofGuest(vmid) ?? {});
  const figure = (guest: Readonly<Record<string, unknown>>, name: string) => Number(guest[name] ?? 0);
  const root = world.storages["local"]?.capacity ?? { total: 100 * GiB, used: 5 * GiB };
  const sum = (values: number[]) => values.reduce((total, value) => total + value, 0);
  return {
    uptime: Math.max(0, Math.floor(clock.now() - node.bootedAt)),
    cpu: sum(running.map((guest) => figure(guest, "cpu") * figure(guest, "maxcpu"))) / node.cpus,
    maxcpu: node.cpus,
    mem: Math.min(node.memory, hostMemory + sum(running.map((guest) => figure(guest, "mem")))),
    maxmem: node.memory,
    disk: root.used,
    maxdisk: root.total,
  };
}

import type { Node } from "../world/node.ts";
import type { World } from "../world/world.ts";

export interface NodeFigures {
  readonly uptime: number;
  readonly cpu: number;
  readonly maxcpu: number;
  readonly mem: number;
  readonly maxmem: number;
  readonly disk: number;
  readonly maxdisk: number;
}

const GiB = 2 ** 30;
/** What an idle host itself needs. */
const hostMemory = GiB;

/** How busy a node is: an idle host, and the guests that run on it. */
export function nodeFigures(world: World, node: Node): NodeFigures {
  const running = Object.values(world.guests)
    .filter((guest) => guest.node === node.name && guest.run !== undefined)
    .flatMap(({ vmid }) => world.statistics.guests[vmid] ?? []);
  const root = world.storages["local"]?.capacity ?? { total: 100 * GiB, used: 5 * GiB };
  const sum = (values: number[]) => values.reduce((total, value) => total + value, 0);
  return {
    uptime: Math.max(0, Math.floor(Date.now() / 1000 - node.bootedAt)),
    cpu: sum(running.map(({ cpu, maxcpu }) => cpu * maxcpu)) / node.cpus,
    maxcpu: node.cpus,
    mem: Math.min(node.memory, hostMemory + sum(running.map(({ mem }) => mem))),
    maxmem: node.memory,
    disk: root.used,
    maxdisk: root.total,
  };
}

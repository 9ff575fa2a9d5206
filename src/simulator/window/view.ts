import type { Simulation } from "../core/kernel/simulation.ts";
import type { World } from "../core/world/world.ts";

/** The state of the cluster for the page: plain data, small enough to be sent as a whole. */
export interface View {
  readonly cluster: string;
  readonly nodes: readonly { name: string; isOnline: boolean; address: string; guests: number }[];
  readonly guests: readonly {
    vmid: number;
    kind: string;
    name: string;
    node: string;
    status: string;
    detail: string;
  }[];
  readonly storages: readonly { name: string; type: string; content: string; volumes: number }[];
  readonly networks: readonly { name: string; type: string; where: string }[];
  readonly tasks: readonly { upid: string; node: string; type: string; id: string; user: string; status: string }[];
}

const mostTasks = 12;

export function viewOf({ world, workers }: Pick<Simulation, "world" | "workers">): View {
  return {
    cluster: world.cluster.name ?? world.cluster.local,
    nodes: Object.values(world.nodes).map(({ name, online, address }) => ({
      name,
      isOnline: online,
      address,
      guests: Object.values(world.guests).filter(({ node }) => node === name).length,
    })),
    guests: guestsOf(world),
    storages: Object.values(world.storages).map(({ storage, type, options }) => ({
      name: storage,
      type,
      content: options["content"] ?? "",
      volumes: world.volumes.filter(({ volid }) => volid.startsWith(`${storage}:`)).length,
    })),
    networks: networksOf(world),
    tasks: world.tasks
      .slice(-mostTasks)
      .reverse()
      .map(({ upid, node, type, id, user, exitstatus }) => ({
        upid,
        node,
        type,
        id,
        user,
        status: exitstatus ?? (workers.isRunning(upid) ? "running" : "starting"),
      })),
  };
}

function guestsOf({ guests }: World): View["guests"] {
  return Object.values(guests).map(({ vmid, type, node, config, run }) => ({
    vmid,
    kind: config["template"] === "1" ? "template" : type === "lxc" ? "container" : "VM",
    name: config["name"] ?? config["hostname"] ?? "",
    node,
    status: config["lock"] ?? (run === undefined ? "stopped" : "running"),
    detail: `${config["cores"] ?? "1"} × CPU, ${config["memory"] ?? "512"} MiB`,
  }));
}

function networksOf({ nodes, sdn }: World): View["networks"] {
  const interfaces = Object.values(nodes).flatMap(({ name: node, interfaces: list }) =>
    Object.entries(list)
      .filter(([name]) => name !== "lo")
      .map(([name, options]) => ({ name, type: String(options["type"] ?? ""), where: node })),
  );
  const byName = Map.groupBy(interfaces, ({ name, type }) => `${type} ${name}`);
  const vnets = Object.entries(sdn.vnets).map(([name, { options }]) => ({
    name,
    type: "vnet",
    where: String(options["zone"] ?? ""),
  }));
  return [
    ...[...byName.values()].map((same) => ({
      name: same[0]?.name ?? "",
      type: same[0]?.type ?? "",
      where: same.map(({ where }) => where).join(", "),
    })),
    ...vnets,
  ];
}

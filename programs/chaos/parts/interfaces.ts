import type { Simulator, World } from "#simulator";
import type { Dice } from "../dice.ts";
import { type Evidence, type Finding, finding } from "../judge.ts";
import { type Actor, ofType, type Part, usersOfNetworks, type Watch } from "../part.ts";
import { refer } from "../references.ts";
import type { Config } from "../script.ts";
import { nodes } from "../troubles.ts";
import { finishedObject, nameFor } from "./finished-object.ts";

const type = "proxmox_network_interface";

/** Network cards that bonds of a life use; PVE changes them with the bond. */
const cards = ["eth1", "eth2"];

/** Bridges, bonds and VLANs of nodes: one reload for each node. */
export const interfaces: Part = {
  name: "interfaces",
  crowd: (seed) => ({
    ...seed,
    interfaces: [
      ...(seed["interfaces"] as object[]),
      ...cards.map((iface) => ({ iface, type: "eth", method: "manual" })),
    ],
  }),
  cast(dice): Actor[] {
    const hosts = nodes.slice(0, dice.int(1, 3));
    return hosts.flatMap((node) => {
      const bond = dice.chance(0.4) ? [bondActor(dice, node)] : [];
      const bridges = Array.from({ length: dice.int(1, 2) }, (_, at) =>
        bridgeActor(dice, node, at, at === 0 && bond[0]),
      );
      const vlans = bridges.filter(() => dice.chance(0.5)).map((bridge, at) => vlanActor(dice, node, at, bridge));
      return [...bond, ...bridges, ...vlans];
    });
  },
  targets: {
    tasks: ["srvreload"],
    writes: [
      "POST /nodes/{node}/network",
      "PUT /nodes/{node}/network",
      "PUT /nodes/{node}/network/{iface}",
      "DELETE /nodes/{node}/network/{iface}",
      "DELETE /nodes/{node}/network",
    ],
    privileges: ["Sys.Modify", "Sys.Audit"],
  },
  watch: (chronicle) => new InterfaceWatch(chronicle.world),
  possessions: ({ nodes: hosts }) =>
    Object.values(hosts).flatMap(({ name, interfaces: all }) =>
      Object.entries(all).flatMap(([iface, options]): [string, string][] =>
        cards.includes(iface) ? [] : [[`interface ${iface} of ${name}`, comparable(options)]],
      ),
    ),
  finished: finishedObject((found, id) => (found === type ? `${type}.${nameFor(id)}` : undefined)),
  meddlings: {
    "an interface is staged": stageInterface,
    "an interface is removed": removeInterface,
  },
};

/** Its place in the file does not count, nor whether it is up. */
function comparable({ priority: _, active: __, ...options }: Readonly<Record<string, unknown>>): string {
  return JSON.stringify(Object.entries(options).sort());
}

/** A file that is staged and equal changes nothing: PVE shows no difference. */
const isSame = (a: World["nodes"][string]["interfaces"], b: typeof a): boolean =>
  Object.keys({ ...a, ...b }).every((name) => comparable(a[name] ?? {}) === comparable(b[name] ?? {}));

const steps = (wish: () => Config): Config[] => [0, 1, 2].map(() => wish());

const actor = (node: string, name: string, wish: () => Config): Actor => ({
  address: `${type}.${nameFor(`${node}/${name}`)}`,
  wishes: steps(() => ({ node, name, ...wish() })),
});

const comment = (dice: Dice) => (dice.chance(0.4) ? { comment: dice.pick(["first", "second one"]) } : {});

const bondActor = (dice: Dice, node: string): Actor =>
  actor(node, "bond7", () => ({
    bond: { slaves: dice.chance(0.7) ? cards : cards.slice(0, 1), mode: dice.pick(["802.3ad", "balance-rr"]) },
    ...comment(dice),
  }));

const bridgeActor = (dice: Dice, node: string, at: number, port: Actor | false | undefined): Actor =>
  actor(node, `vmbr7${at}`, () => ({
    bridge: { ...(dice.chance(0.5) && { vlan_aware: true }), ...(port && { ports: [refer(port.address, "name")] }) },
    ...(dice.chance(0.6) && { ipv4: { address: `10.7${at}.0.${dice.int(1, 3)}/24` } }),
    ...(dice.chance(0.3) && { mtu: dice.pick([1400, 1500]) }),
    ...comment(dice),
  }));

const vlanActor = (dice: Dice, node: string, at: number, bridge: Actor): Actor =>
  actor(node, `vlan8${at}`, () => ({
    vlan: { raw_device: refer(bridge.address, "name"), id: 80 + at },
    ...comment(dice),
  }));

/** Another client stages an interface; what is committed after it could be seen is against its will. */
function stageInterface({ sim }: Simulator): () => string | undefined {
  const host = sim.world.nodes["pve1"];
  if (host?.online !== true || host.newInterfaces?.["vmbr99"]) return () => undefined;
  const theirs = { type: "bridge", method: "manual", method6: "manual", families: ["inet"], priority: 99 };
  host.newInterfaces = { ...structuredClone(host.newInterfaces ?? host.interfaces), vmbr99: theirs };
  let isSeen = false;
  let isDisturbed = false;
  const stop = sim.log.subscribe(({ method, path }) => {
    const isThere = host.newInterfaces?.["vmbr99"] !== undefined;
    if (!isThere && isSeen) isDisturbed = true;
    if (isThere && method === "GET" && path.endsWith("/nodes/pve1/network")) isSeen = true;
  });
  return () => {
    stop();
    const isCommitted = host.interfaces["vmbr99"] !== undefined;
    delete host.interfaces["vmbr99"];
    if (host.newInterfaces) delete host.newInterfaces["vmbr99"];
    if (JSON.stringify(host.newInterfaces) === JSON.stringify(host.interfaces)) delete host.newInterfaces;
    return isDisturbed ? `its staged interface was ${isCommitted ? "committed" : "dropped"}` : undefined;
  };
}

/** By hand: a bridge that no other interface uses. */
function removeInterface({ sim: { world } }: Simulator): () => undefined {
  const host = world.nodes["pve1"];
  const all = host && Object.entries(host.interfaces);
  const isUsed = (name: string) =>
    all?.some(([, one]) => JSON.stringify(one).includes(`"${name}"`) && one["vlan-raw-device"] === name);
  const [free] = all?.find(([name]) => /^vmbr7/.test(name) && !isUsed(name)) ?? [];
  if (host && free !== undefined && host.newInterfaces === undefined) delete host.interfaces[free];
  return () => undefined;
}

/** What is configured is in effect, with as few reloads of each node as possible, and nothing is staged. */
class InterfaceWatch implements Watch {
  readonly #world: World;
  readonly #before: ReadonlyMap<string, readonly string[]>;
  #reloads = new Map<string, number>();

  constructor(world: World) {
    this.#world = world;
    const hosts = Object.values(world.nodes);
    this.#before = new Map(hosts.map(({ name, interfaces: all }) => [name, Object.keys(all)]));
  }

  plan(): void {
    this.#reloads = this.#countReloads();
  }

  judge({ wanted }: Evidence): Finding[] {
    const configured = ofType<Config>(type, Object.entries(wanted)).map(([, config]) => config);
    const now = this.#countReloads();
    const allowed = 1 + usersOfNetworks(wanted);
    return Object.values(this.#world.nodes).flatMap(({ name: node, interfaces: all, newInterfaces }) => {
      const here = configured.flatMap((one) => (one["node"] === node ? [String(one["name"])] : []));
      const known = [...(this.#before.get(node) ?? []), ...here];
      const reloads = (now.get(node) ?? 0) - (this.#reloads.get(node) ?? 0);
      return [
        ...here.filter((name) => !(name in all)).map((name) => `${name} of ${node} is not in effect`),
        ...Object.keys(all)
          .filter((name) => !known.includes(name))
          .map((name) => `${name} of ${node} is an orphan`),
        ...(isSame(newInterfaces ?? all, all) ? [] : [`changes of ${node} are staged`]),
        ...(reloads > allowed ? [`${node} was reloaded ${reloads} times in one apply`] : []),
      ].map(finding("interface"));
    });
  }

  /** Without those that a commit of the SDN brings. */
  #countReloads(): Map<string, number> {
    const { tasks, nodes: hosts } = this.#world;
    const commits = tasks.filter((task) => task.type === "reloadnetworkall").length;
    const count = (node: string) => tasks.filter((task) => task.type === "srvreload" && task.node === node).length;
    return new Map(Object.keys(hosts).map((node) => [node, Math.max(0, count(node) - commits)]));
  }
}

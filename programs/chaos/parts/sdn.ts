import { randomUUID } from "node:crypto";
import type { Simulator, World } from "#simulator";
import type { Input } from "../../../test/harness/index.ts";
import type { Dice } from "../dice.ts";
import type { Actor, Meddling, Part } from "../part.ts";
import { refer } from "../references.ts";
import type { Config } from "../script.ts";
import { finishedObject, nameFor } from "./finished-object.ts";
import { type SdnKind, SdnWatch } from "./sdn-watch.ts";

type Sdn = World["sdn"];
type Objects = Sdn["zones"];

/** A zone with vnets, subnets and fixed addresses, which one commit puts into effect. */
export const sdn: Part = {
  name: "sdn",
  crowd: (seed) => ({
    ...seed,
    sdn: {
      zones: [{ zone: "office", type: "simple", ipam: "pve" }],
      vnets: [{ vnet: "desks", zone: "office", alias: "keep out" }],
      subnets: [{ subnet: "office-172.20.0.0-24", vnet: "desks", gateway: "172.20.0.1" }],
    },
  }),
  cast(dice): Actor[] {
    const kind = dice.pick(zoneKinds);
    const zone = { address: `proxmox_sdn_zone.${kind.id}`, wishes: steps(() => kind.wish(dice)) };
    const vnets = Array.from({ length: dice.int(1, 4) }, (_, at) => vnetActor(dice, zone.address, kind, at));
    const subnets = kind.hasSubnets ? vnets.filter(() => dice.chance(0.7)).map((vnet) => subnetActor(dice, vnet)) : [];
    const addresses = kind.hasAddresses && subnets[0] ? [addressActor(subnets[0])] : [];
    return [...(kind.controller ? [kind.controller] : []), zone, ...vnets, ...subnets, ...addresses];
  },
  targets: {
    tasks: ["reloadnetworkall", "srvreload"],
    writes: [
      "POST /cluster/sdn/zones",
      "POST /cluster/sdn/vnets",
      "POST /cluster/sdn/vnets/{vnet}/subnets",
      "PUT /cluster/sdn/vnets/{vnet}",
      "POST /cluster/sdn/vnets/{vnet}/ips",
      "DELETE /cluster/sdn/vnets/{vnet}",
      "POST /cluster/sdn/lock",
      "DELETE /cluster/sdn/lock",
      "PUT /cluster/sdn",
      "PUT /cluster/sdn",
    ],
    privileges: ["SDN.Allocate", "SDN.Audit", "Sys.Audit"],
  },
  watch: (chronicle) => new SdnWatch(chronicle.world),
  possessions: ({ sdn: now }) =>
    [
      ["zones", "office"],
      ["vnets", "desks"],
      ["subnets", "office-172.20.0.0-24"],
    ].map(([kind = "", id = ""]): [string, string] => {
      const [edited, running] = [now, now.running].map((config) => config[kind as SdnKind][id]);
      return [`SDN ${kind} ${id}`, JSON.stringify([edited, running, now.addresses["office"]])];
    }),
  finished: finishedObject((type, id) => (type.startsWith("proxmox_sdn_") ? `${type}.${nameFor(id)}` : undefined)),
  meddlings: {
    "a zone is staged": foreignObject("theirs", { type: "simple", options: { ipam: "pve" } }),
    "a zone is changed": foreignObject("office", { type: "simple", options: { ipam: "pve", mtu: "1400" } }),
    "the SDN is locked": lock(null),
    "the SDN is locked for a moment": lock(100),
    "the SDN is committed": commit,
    "a vnet is removed": removeVnet,
  },
  obey(message, { sdn: now }) {
    if (!message.includes("break_lock = true")) return false;
    delete now.lockToken;
    return true;
  },
};

const steps = (wish: (step: number) => Config): Config[] => [0, 1, 2].map(wish);

interface ZoneKind {
  readonly id: string;
  readonly hasTags: boolean;
  readonly hasSubnets: boolean;
  readonly hasAddresses: boolean;
  readonly controller?: Actor;
  wish(dice: Dice): Config;
}

const mtu = (dice: Dice) => (dice.chance(0.3) ? { mtu: dice.pick([1400, 1450]) } : {});

const controller: Actor = {
  address: "proxmox_sdn_controller.evpn",
  wishes: steps((at) => ({ id: "evpn", evpn: { asn: 65_000 + at, peers: ["192.0.2.11", "192.0.2.12"] } })),
};

const zoneKinds: readonly ZoneKind[] = [
  {
    id: "plain",
    hasTags: false,
    hasSubnets: true,
    hasAddresses: false,
    wish: (dice) => ({ id: "plain", simple: {}, ...mtu(dice) }),
  },
  {
    id: "leased",
    hasTags: false,
    hasSubnets: true,
    hasAddresses: true,
    wish: (dice) => ({ id: "leased", simple: { dhcp: "dnsmasq" }, ipam: "pve", ...mtu(dice) }),
  },
  {
    id: "vlans",
    hasTags: true,
    hasSubnets: false,
    hasAddresses: false,
    wish: (dice) => ({ id: "vlans", vlan: { bridge: dice.pick(["vmbr0", "vmbr1"]) } }),
  },
  {
    id: "routed",
    hasTags: true,
    hasSubnets: true,
    hasAddresses: false,
    controller,
    wish: (dice) => ({
      id: "routed",
      evpn: { controller: refer(controller.address, "id"), vrf_vxlan: dice.pick([9000, 9001]) },
    }),
  },
];

function vnetActor(dice: Dice, zone: string, { hasTags }: ZoneKind, at: number): Actor {
  const id = `net${at}`;
  const wish = (): Config => ({
    id,
    zone: refer(zone, "id"),
    ...(hasTags && { tag: 100 + at * 10 + dice.int(0, 2) }),
    ...(dice.chance(0.5) && { alias: dice.pick(["Web servers", "Old"]) }),
    ...(dice.chance(0.3) && { isolate_ports: true }),
  });
  return { address: `proxmox_sdn_vnet.${id}`, wishes: steps(wish) };
}

function subnetActor(dice: Dice, { address, wishes }: Actor): Actor {
  const vnet = String(wishes[0]?.["id"]);
  const net = `10.${vnet.slice(3)}.0`;
  const wish = (): Config => ({
    vnet: refer(address, "id"),
    cidr: `${net}.0/24`,
    ...(dice.chance(0.6) && { gateway: `${net}.${dice.int(1, 2)}` }),
    ...(dice.chance(0.3) && { snat: true }),
    ...(dice.chance(0.3) && { dhcp_ranges: [{ start: `${net}.100`, end: `${net}.${dice.int(110, 120)}` }] as Input }),
  });
  return { address: `proxmox_sdn_subnet.${nameFor(`${vnet}/${net}.0/24`)}`, wishes: steps(wish) };
}

function addressActor({ address, wishes }: Actor): Actor {
  const ip = String(wishes[0]?.["cidr"]).replace(/0\/24$/, "50");
  const vnet = /net\d/.exec(address)?.[0] ?? "";
  return {
    address: `proxmox_sdn_ip.${nameFor(`${vnet}/${ip}`)}`,
    wishes: steps(() => ({ vnet: refer(address, "vnet"), ip, mac: "BC:24:11:00:00:50" })),
  };
}

/** Another client stages an object. While the SDN is locked, PVE would refuse it. */
function foreignObject(id: string, object: Objects[string]): Meddling {
  return ({ sim: { world } }) => {
    const { sdn: now } = world;
    if (now.lockToken !== undefined || JSON.stringify(now.zones[id]) !== JSON.stringify(now.running.zones[id]))
      return () => undefined;
    const before = now.running.zones[id];
    now.zones[id] = structuredClone(object);
    return () => {
      const is = (config: Pick<Sdn, "zones">) => JSON.stringify(config.zones[id]) === JSON.stringify(object);
      const said = is(now.running) ? "was committed" : is(now) ? undefined : "was dropped";
      for (const config of [now, now.running]) {
        if (before) config.zones[id] = before;
        else delete config.zones[id];
      }
      return said && `its staged zone ${id} ${said}`;
    };
  };
}

/** Null: until the step ends. Each lock has a token of its own: several in one life do not release each other. */
function lock(milliseconds: number | null): Meddling {
  return ({ sim: { world } }) => {
    const { sdn: now } = world;
    if (now.lockToken !== undefined) return () => undefined;
    const token = `another-client-${randomUUID()}`;
    now.lockToken = token;
    const release = () => {
      const isHeld = now.lockToken === token;
      if (isHeld) delete now.lockToken;
      return isHeld || milliseconds !== null ? undefined : "its lock of the SDN was broken";
    };
    if (milliseconds !== null) setTimeout(release, milliseconds);
    return release;
  };
}

/** Takes along what the run has staged so far. What yet another client has staged would be blamed on the provider. */
function commit({ sim: { world } }: Simulator): () => undefined {
  const { lockToken: held, running, ...edited } = world.sdn;
  const zonesOfOthers = ({ zones: { theirs, office } }: Pick<Sdn, "zones">) => JSON.stringify([theirs, office]);
  if (held === undefined && zonesOfOthers(edited) === zonesOfOthers(running)) {
    const { zones, vnets, subnets, controllers, fabrics, prefixLists, routeMaps } = structuredClone(edited);
    const applied = { zones, vnets, subnets, controllers, fabrics, prefixLists, routeMaps };
    world.sdn.running = { version: running.version + 1, ...applied };
  }
  return () => undefined;
}

/** By hand, and with a commit: a vnet that is in use by no subnet. */
function removeVnet({ sim: { world } }: Simulator): () => undefined {
  const { sdn: now } = world;
  const hasSubnet = (vnet: string) =>
    [now, now.running].some(({ subnets }) => Object.values(subnets).some(({ options }) => options["vnet"] === vnet));
  const free = Object.keys(now.vnets).find((vnet) => vnet !== "desks" && !hasSubnet(vnet));
  if (free !== undefined && now.lockToken === undefined) {
    for (const { vnets } of [now, now.running]) delete vnets[free];
  }
  return () => undefined;
}

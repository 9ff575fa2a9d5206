import type { World } from "#simulator";
import type { Chronicle } from "../chronicle.ts";
import type { Dice } from "../dice.ts";
import { type Evidence, type Finding, finding } from "../judge.ts";
import type { Actor, Part, Watch } from "../part.ts";
import { refer } from "../references.ts";
import type { Config, Configs } from "../script.ts";
import { finishedObject, nameFor } from "./finished-object.ts";
import { finishedGuest, GuestWatch, removeReserved } from "./guest-watch.ts";
import { interfaces } from "./interfaces.ts";
import { sdn } from "./sdn.ts";
import { kind } from "./vms.ts";

const name = "shop";
/** A user that is not managed and to whom nothing else is granted. */
const user = "noacl@pve";

/** A VM with what belongs to it, each referring to the other: its network, pool, firewall and a grant on it. */
export const stacks: Part = {
  name: "stacks",
  crowd: (seed) => seed,
  cast(dice, seed): Actor[] {
    const networks = dice.chance(0.5) ? bridge(dice) : vnet(dice);
    const pool = actor(`proxmox_pool.${name}`, () => ({ id: name }));
    const address = `${kind.resource}.${name}-${seed}`;
    const vmid = refer(address, "vmid");
    const [network] = networks.slice(-1);
    const vm = actor(address, () => ({
      name: `${name}-${seed}`,
      node: "pve1",
      power: dice.pick(["running", "stopped"]),
      restart_policy: "when_needed",
      disks: { scsi0: { storage: "ceph", size: "1G" } },
      networks: {
        net0: {
          bridge: network && dice.chance(0.8) ? refer(network.address, networks.length > 1 ? "id" : "name") : "vmbr0",
          firewall: true,
        },
      },
      ...(dice.chance(0.6) && { pool: refer(pool.address, "id") }),
    }));
    return [
      ...networks,
      pool,
      { ...vm, guest: `${name}-${seed}` },
      actor(`proxmox_firewall_rules.${name}`, () => ({ vmid, rules: rules(dice) })),
      actor(`proxmox_firewall_options.${name}`, () => ({ guest: { vmid, enabled: dice.chance(0.5) } })),
      actor(`proxmox_acl.${name}`, () => ({ path: `/vms/${vmid}`, role: "PVEAuditor", user })),
    ];
  },
  targets: {
    tasks: ["qmcreate", "qmstart", "qmdestroy", "srvreload", "reloadnetworkall"],
    writes: [
      "POST /nodes/{node}/qemu",
      "PUT /nodes/{node}/qemu/{vmid}/config",
      "DELETE /nodes/{node}/qemu/{vmid}",
      "POST /nodes/{node}/qemu/{vmid}/firewall/rules",
      "PUT /nodes/{node}/network",
      "PUT /cluster/sdn",
      "PUT /access/acl",
      "DELETE /pools",
    ],
    privileges: ["VM.Allocate", "VM.Config.Network", "SDN.Use", "SDN.Allocate", "Sys.Modify", "Permissions.Modify"],
  },
  watch: (chronicle) => new StackWatch(chronicle),
  finished: (message) => finishedGuest(kind)(message) ?? finishedObject(addressOf)(message),
  obey: (message, world) => removeReserved(message, world) || sdn.obey?.(message, world) === true,
};

const addressOf = (type: string, id: string): string =>
  `${type}.${type === "proxmox_acl" && id.endsWith(user) ? name : nameFor(id)}`;

const actor = (address: string, wish: () => Config): Actor => ({
  address,
  wishes: [0, 1, 2].map(() => wish()),
});

const bridge = (dice: Dice): Actor[] => [
  actor("proxmox_network_interface.pve1-vmbr90", () => ({
    node: "pve1",
    name: "vmbr90",
    bridge: { ...(dice.chance(0.5) && { vlan_aware: true }) },
  })),
];

function vnet(dice: Dice): Actor[] {
  const zone = actor(`proxmox_sdn_zone.${name}`, () => ({ id: name, simple: {} }));
  const wish = () => ({
    id: `${name}net`,
    zone: refer(zone.address, "id"),
    ...(dice.chance(0.5) && { alias: "Shop" }),
  });
  return [zone, actor(`proxmox_sdn_vnet.${name}net`, wish)];
}

const rules = (dice: Dice): Config[] =>
  Array.from({ length: dice.int(0, 5) }, () => ({
    type: "in",
    action: dice.pick(["ACCEPT", "DROP"]),
    proto: "tcp",
    dport: String(dice.int(1, 9)),
  }));

/** What surrounds the VM is as configured, and goes with it. */
class StackWatch implements Watch {
  readonly #watches: readonly Watch[];

  constructor(chronicle: Chronicle) {
    this.#watches = [new GuestWatch(kind, chronicle), interfaces.watch(chronicle), sdn.watch(chronicle)];
  }

  plan(...given: Parameters<Watch["plan"]>): void {
    for (const watch of this.#watches) watch.plan(...given);
  }

  judge(evidence: Evidence): Finding[] {
    const { wanted, held, chronicle } = evidence;
    const address = Object.keys(wanted).find((one) => one.startsWith(`${kind.resource}.${name}-`));
    const vmid = Number(held.get(address ?? "")?.attribute("vmid") ?? 0);
    const found = [...around(chronicle.world, wanted, vmid), ...leftovers(chronicle.world)];
    return [...this.#watches.flatMap((watch) => watch.judge(evidence)), ...found.map(finding("stack"))];
  }
}

function around({ access, firewall }: World, wanted: Configs, vmid: number): string[] {
  const [granted, listed] = ["acl", "firewall_rules"].map((type) => wanted[`proxmox_${type}.${name}`]);
  const isGranted = access.acl.some(({ path, ugid }) => path === `/vms/${vmid}` && ugid === user);
  const line = ({ action, dport }: Readonly<Record<string, unknown>>) => `${action} ${dport}`;
  const desired = ((listed?.["rules"] ?? []) as Config[]).map(line).join();
  const now = (firewall[`guest/${vmid}`]?.rules ?? []).map((rule) => line({ ...rule })).join();
  return [
    ...((granted !== undefined) === isGranted ? [] : [`the grant on ${vmid} is ${isGranted ? "left" : "missing"}`]),
    ...(desired === now ? [] : [`the rules of ${vmid} are ${now || "none"} instead of ${desired || "none"}`]),
  ];
}

/** Proxmox VE removes grants and the firewall of a guest with the guest. */
function leftovers({ access, firewall, guests }: World): string[] {
  const paths = access.acl.filter(({ ugid }) => ugid === user).map(({ path }) => path.replace("/vms/", ""));
  const files = Object.keys(firewall).flatMap((key) => (key.startsWith("guest/") ? key.slice("guest/".length) : []));
  return [...paths, ...files]
    .filter((vmid) => guests[vmid] === undefined)
    .map((vmid) => `something of ${vmid} is left`);
}

import type { Chronicle } from "../chronicle.ts";
import type { Dice } from "../dice.ts";
import type { Actor, Meddling, Part } from "../part.ts";
import { refer } from "../references.ts";
import type { Config } from "../script.ts";
import { finishedObject } from "./finished-object.ts";
import { FirewallWatch } from "./firewall-watch.ts";
import { OthersRules, storedRules } from "./others-rules.ts";

const prefix = "proxmox_firewall_";
const guest = 601;
const other = 602;

/** Rules of a guest and of a node, sets, aliases, groups and a policy: lists that other clients edit as well. */
export const firewall: Part = {
  name: "firewall",
  crowd: (seed) => ({
    ...seed,
    guests: [
      ...seed.guests,
      ...[guest, other, 603].map((vmid) => ({ vmid, node: "pve1", config: { name: `walled-${vmid}` } })),
    ],
    firewall: {
      cluster: {
        aliases: [{ name: "some", cidr: "10.0.0.0/31", comment: "keep out" }],
        ipsets: [{ name: "partners", entries: [{ cidr: "192.0.2.0/24" }] }],
        groups: [
          { group: "web", rules: [{ type: "in", action: "ACCEPT", proto: "tcp", dport: "1", enable: 1 }] },
          { group: "shut", rules: [{ type: "in", action: "DROP", proto: "tcp", dport: "1:2", enable: 1 }] },
        ],
      },
      guests: {
        603: { options: { enable: 1 }, rules: [{ type: "in", action: "DROP", enable: 1, comment: "theirs" }] },
      },
    },
  }),
  cast(dice): Actor[] {
    const alias = namedActor(dice, "alias", "al", () => ({ cidr: dice.pick(["10.1.0.0/24", "10.2.0.0/24"]) }));
    const set = namedActor(dice, "ipset", "set", () => ({
      entries: {
        ...entries(dice),
        ...(dice.chance(0.3) && { "dc/some": {} }),
      },
    }));
    const group = namedActor(dice, "security_group", "grp", () => ({ rules: rules(dice, [], false) }));
    const names = [
      { source: refer(alias.address, "reference") },
      { source: refer(set.address, "reference") },
      { security_group: refer(group.address, "name") },
    ];
    return [
      alias,
      set,
      group,
      actor("rules", "guest-601", () => ({ vmid: guest, rules: rules(dice, names) })),
      actor("rules", "node-pve3", () => ({ node: "pve3", rules: rules(dice, []) })),
      actor("options", "guest-601", () => ({ guest: { vmid: guest, ...options(dice) } })),
      actor("policy", "guest-602", () => ({
        vmid: other,
        options: options(dice),
        ...(dice.chance(0.6) && { aliases: { home: { cidr: dice.pick(["10.3.0.0/24", "10.4.0.0/24"]) } } }),
        ...(dice.chance(0.6) && { ipsets: { own: { entries: entries(dice) } } }),
        rules: rules(dice, []),
      })),
    ];
  },
  targets: {
    tasks: [],
    writes: [
      "POST /nodes/{node}/qemu/{vmid}/firewall/rules",
      "PUT /nodes/{node}/qemu/{vmid}/firewall/rules/{pos}",
      "DELETE /nodes/{node}/qemu/{vmid}/firewall/rules/{pos}",
      "PUT /nodes/{node}/qemu/{vmid}/firewall/options",
      "POST /cluster/firewall/ipset/{name}",
      "DELETE /cluster/firewall/ipset/{name}/{cidr}",
      "PUT /cluster/firewall/aliases/{name}",
      "POST /cluster/firewall/groups",
      "POST /cluster/firewall/groups/{group}",
    ],
    privileges: ["Sys.Modify", "Sys.Audit", "VM.Config.Network", "VM.Audit"],
  },
  watch: (chronicle) => new FirewallWatch(chronicle),
  possessions: ({ firewall: files }) => [
    ["firewall of 603", JSON.stringify(files["guest/603"])],
    ["alias some", JSON.stringify(files["cluster"]?.aliases["some"])],
    ["set partners", JSON.stringify(files["cluster"]?.sets["partners"])],
    ...["web", "shut"].map((name): [string, string] => [
      `group ${name}`,
      JSON.stringify(files["cluster"]?.groups[name]),
    ]),
  ],
  // The first name of an object is in its address, and a second one ends in `b`.
  finished: finishedObject((type, id) => (type.startsWith(prefix) ? `${type}.${id.replace(/b$/, "")}` : undefined)),
  meddlings: {
    "a rule is added": edit(
      "guest/601",
      ({ rules: list }) => void list.splice(1, 0, { type: "out", action: "DROP", enable: "0", comment: "by hand" }),
    ),
    "a rule is removed": edit("guest/601", ({ rules: list }) => void list.splice(0, 1)),
    "rules of a node are turned round": edit("node/pve3", ({ rules: list }) => void list.reverse()),
    "an entry is added": edit("cluster", ({ sets }) => void sets["seta"]?.entries.push({ cidr: "198.51.100.0/24" })),
    "an option is set": edit("guest/601", ({ options: set }) => void Object.assign(set, { radv: "1" })),
    "a policy is changed": edit("guest/602", ({ rules: list }) => void list.splice(0, 2)),
  },
};

const actor = (type: string, name: string, wish: () => Config): Actor => ({
  address: `${prefix}${type}.${name}`,
  wishes: [0, 1, 2].map(() => wish()),
});

/** With another name in some steps. */
const namedActor = (dice: Dice, type: string, name: string, wish: () => Config): Actor =>
  actor(type, `${name}a`, () => ({
    name: dice.chance(0.3) ? `${name}ab` : `${name}a`,
    ...(dice.chance(0.4) && { comment: dice.pick(["first", "second one"]) }),
    ...wish(),
  }));

const options = (dice: Dice): Config => ({
  enabled: dice.chance(0.5),
  ...(dice.chance(0.5) && { policy_in: dice.pick(["ACCEPT", "DROP", "REJECT"]) }),
  ...(dice.chance(0.5) && { dhcp: dice.chance(0.5) }),
});

const entries = (dice: Dice) =>
  Object.fromEntries(
    Array.from({ length: dice.int(0, 6) }, () => [
      `10.9.${dice.int(0, 9)}.0/24`,
      dice.chance(0.3) ? { comment: "noted" } : {},
    ]),
  );

/** In the words of the checker of gaps: four ports, four addresses, two groups. */
function rules(dice: Dice, names: readonly Config[], mayNameGroups = true): Config[] {
  return Array.from({ length: dice.int(0, 7) }, (): Config => {
    if (names.length > 0 && dice.chance(0.15)) {
      const named = dice.pick(names);
      return "source" in named ? { type: "in", action: "ACCEPT", ...named } : named;
    }
    if (mayNameGroups && dice.chance(0.1)) return { security_group: dice.pick(["web", "shut"]) };
    return {
      type: dice.pick(["in", "in", "out"]),
      action: dice.pick(["ACCEPT", "DROP"]),
      proto: dice.pick(["tcp", "udp"]),
      dport: dice.pick(["1", "2", "3:4", "1:2", "1,4"]),
      ...(dice.chance(0.4) && { source: dice.pick(["10.0.0.0/30", "10.0.0.0/31", "10.0.0.2", "dc/some"]) }),
      ...(dice.chance(0.15) && { enabled: false }),
      ...(dice.chance(0.2) && { comment: dice.pick(["one", "two"]) }),
    };
  });
}

type File = Chronicle["world"]["firewall"][string];

/** Another client edits a file: the next apply has to take it back from what a resource has. */
function edit(key: string, change: (file: File) => void): Meddling {
  return ({ sim: { world } }, chronicle) => {
    const file = world.firewall[key];
    if (file) {
      const before = storedRules(chronicle, key);
      const next = structuredClone(file);
      change(next);
      world.firewall[key] = next;
      OthersRules.of(chronicle).note(key, before, storedRules(chronicle, key));
    }
    return () => undefined;
  };
}

import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { placeOf } from "../../../src/kit/wire/place.ts";
import { wiredIn } from "../../../src/kit/wire/wired.ts";
import { objects, settings } from "../../../src/registry.ts";

/** Options whose format is a list, and that Proxmox VE's own code splits at blanks only. */
const atBlanks: Readonly<Record<string, string>> = {
  bridge_ports: "pve-common src/PVE/Network/Interfaces.pm",
  slaves: "pve-common src/PVE/Network/Interfaces.pm",
  ovs_ports: "pve-common src/PVE/Network/Interfaces.pm",
  ovs_bonds: "pve-common src/PVE/Network/Interfaces.pm",
};

const listFormats = new Set(
  readFileSync("schema/pve/api.jsonl", "utf8")
    .split("\n")
    .filter(Boolean)
    .flatMap((call) => Object.entries(JSON.parse(call).parameters?.properties ?? {}))
    .filter(([, property]) => String((property as { format?: unknown }).format).endsWith("-list"))
    .map(([option]) => option),
);

const definitions = await Promise.all(Object.values({ ...objects, ...settings }).map((load) => load()));

const lists = definitions.flatMap(({ type, crud }) =>
  wiredIn(crud.definition.attributes)
    .filter((one) => ["set", "list"].includes(one.type.shape.kind) && !one.repeated)
    .map((one) => ({ type, ...placeOf(one.wire ?? "", null), separator: one.separator ?? "," }))
    .filter(({ key }) => key === null),
);

test("a list of interfaces is separated by blanks, any other list by what every list is split at", () => {
  const ofFormat = lists.filter(({ option }) => listFormats.has(option));
  expect(ofFormat.length).toBeGreaterThan(10);
  for (const { type, option, separator } of ofFormat) {
    expect(separator === " ", `${type} ${option}`).toBe(option in atBlanks);
  }
  expect(Object.keys(atBlanks).filter((option) => !ofFormat.some((one) => one.option === option))).toEqual([]);
});

test("ports and slaves are sent with blanks between them", async () => {
  const { crud } = await objects.proxmox_network_interface();
  const patch = (desired: object) => crud.model.remaining({}, { bridge: null, bond: null, ...desired }).set;
  const none = { vlan: null, eth: null, ovs_bridge: null, ovs_bond: null, ovs_int_port: null, ovs_port: null };
  expect(patch({ ...none, bridge: { ports: ["eth1", "eth2"] } })).toMatchObject({ bridge_ports: "eth1 eth2" });
  expect(patch({ ...none, bond: { slaves: ["eth1", "eth2"] } })).toMatchObject({ slaves: "eth1 eth2" });
});

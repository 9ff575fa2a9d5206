import { expect, onTestFinished, test } from "vitest";
import { createSimulator } from "#simulator";
import { kinds, prepareFor } from "../../../programs/soak/lives.ts";
import { seedForRows } from "../../contract/crud/bench.ts";

/** What the cluster of that kind has. */
function preparedFor(name: string) {
  const kind = kinds.find((one) => one.name === name);
  if (kind === undefined) throw new Error(`there is no kind ${name}`);
  const cluster = createSimulator({ seed: seedForRows() });
  onTestFinished(() => cluster.close());
  prepareFor(kind, cluster.sim.world);
  return { kind, world: cluster.sim.world };
}

const named = (type: string, variant: string): string =>
  kinds.find((kind) => kind.type === type && variant in kind.base)?.name ?? "";

test("a zone finds the controller that the kinds of controllers remove", () => {
  const { kind, world } = preparedFor(named("proxmox_sdn_zone", "evpn"));
  expect(kind.base["evpn"]).toMatchObject({ controller: "evpn" });
  expect(Object.keys(world.sdn.controllers)).toContain("evpn");
  expect(preparedFor("proxmox_sdn_controller").world.sdn.controllers).toEqual({});
});

test("a bond finds the network cards that the first kind of its type adds", () => {
  const { kind, world } = preparedFor(named("proxmox_network_interface", "bond"));
  expect(kind.prepare).toBeUndefined();
  expect(Object.keys(world.nodes["pve1"]?.interfaces ?? {})).toEqual(expect.arrayContaining(["eth1", "eth2"]));
});

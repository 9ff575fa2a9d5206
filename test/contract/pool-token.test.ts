import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { defaultSeed } from "#simulator";
import type { Input } from "../harness/index.ts";
import { attribute, ResourceBench } from "./resource-bench.ts";

let bench: ResourceBench;

/** Privileges on a pool, what its VMs are made of, and nothing else: no guest has any before it is in the pool. */
beforeAll(async () => {
  const seed = defaultSeed() as { acl: object[]; roles: object };
  const on = (path: string, roleid: string) => ({ type: "user", ugid: "noacl@pve", path, roleid });
  const acl = [
    ...seed.acl,
    on("/pool/lab", "Owner"),
    on("/pool/bare", "Maker"),
    on("/vms/9000", "PVETemplateUser"),
    on("/storage", "PVEDatastoreUser"),
    on("/sdn/zones/localnetwork/vmbr0", "PVESDNUser"),
  ];
  const maker = ["Pool.Audit", "VM.Allocate", "VM.Audit", "VM.Config.Options", "VM.PowerMgmt"];
  const roles = { ...seed.roles, Maker: maker, Owner: [...maker, "VM.Config.Network", "VM.Snapshot"] };
  const pools = [{ poolid: "lab" }, { poolid: "bare" }];
  bench = await ResourceBench.open({ as: "noacl@pve!tf", seed: { ...seed, acl, roles, pools } });
});
beforeEach(async () => {
  bench.simulator.reset();
  await bench.configure("noacl@pve!tf");
});
afterAll(() => bench.close());

const vm = (pool: string, more: object = {}) =>
  ({ name: "new", pool, power: "stopped", clone: { template: "9000" }, ...more }) as Input;
const dependents: [string, (vmid: number) => Record<string, Input>][] = [
  ["proxmox_snapshot", (vmid) => ({ vmid, name: "first" })],
  ["proxmox_firewall_rules", (vmid) => ({ vmid, rules: [{ type: "in", action: "ACCEPT" }] })],
  ["proxmox_firewall_options", (vmid) => ({ guest: { vmid, enabled: true } })],
];

describe("with privileges on a pool only", () => {
  test.each(dependents)("%s belongs to a VM that the same run creates in the pool", async (type, configOf) => {
    const made = await bench.resource("proxmox_vm").create(vm("lab"));
    await bench.resource(type).create(configOf(Number(attribute(made, "vmid"))));
  });

  test.each(dependents)("%s is planned for a VM that the same plan creates in the pool", async (type, configOf) => {
    await bench.resource("proxmox_vm").plan(null, vm("lab", { vmid: 401 }));
    await bench.resource(type).plan(null, configOf(401));
  });

  test.each(dependents)("%s is refused in the plan where the pool does not allow it", async (type, configOf) => {
    await bench.resource("proxmox_vm").plan(null, vm("bare", { vmid: 401 }));
    const refused = bench.resource(type).plan(null, configOf(401));
    await expect(refused).rejects.toThrow(/\/pool\/bare: VM\.(Snapshot|Config\.Network)/);
  });
});

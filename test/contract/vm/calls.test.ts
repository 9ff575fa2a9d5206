import { afterAll, beforeAll, expect, test } from "vitest";
import type { Instance } from "../../harness/index.ts";
import { Bench, sshKey } from "./suite.ts";

let bench: Bench;

beforeAll(async () => {
  bench = await Bench.open();
});

afterAll(() => bench.close());

interface Summary {
  total: number;
  calls: { endpoint: string; count: number }[];
}

/** Calls that were made meanwhile; looking at tasks does not count. */
async function counted(work: () => Promise<unknown>): Promise<{ total: number; list: string[] }> {
  const { log } = bench.simulator.sim;
  log.clear();
  await work();
  const { calls } = log.summary() as Summary;
  const asked = calls.filter(({ endpoint }) => !endpoint.includes("/tasks"));
  return {
    total: asked.reduce((sum, { count }) => sum + count, 0),
    list: asked.map(({ endpoint, count }) => `${count} ${endpoint}`),
  };
}

const config = (index: number) => ({
  name: `counted-${index}`,
  vmid: 1000 + index,
  clone: { template: "ubuntu-24.04-cloud" },
  cpu: { cores: 4 },
  memory: { size: "8G" },
  disks: { scsi0: { size: "100G" } },
  networks: { net0: { bridge: "vmbr0", vlan: 20, ipv4: { address: "10.0.20.11/24", gateway: "10.0.20.1" } } },
  cloud_init: { user: "ops", ssh_keys: [sshKey] },
});

test("making a VM by cloning takes 7 calls, and 2 for all VMs of a run: the cluster and the template", async () => {
  const plan = await bench.vm.plan(null, config(1));
  const next = await bench.vm.plan(null, config(2));
  await bench.restart();
  const { total, list } = await counted(() => bench.vm.apply(plan, config(1)));
  expect(total, list.join("\n")).toBeLessThanOrEqual(9);
  const second = await counted(() => bench.vm.apply(next, config(2)));
  expect(second.total, second.list.join("\n")).toBeLessThanOrEqual(7);
});

test("refreshing and planning 100 VMs takes at most 105 calls", async () => {
  const template = bench.guest(9000);
  const { world } = bench.simulator.sim;
  for (let index = 0; index < 100; index++) {
    const vmid = 2000 + index;
    const unique = `${"0".repeat(8)}-0000-4000-8000-${String(vmid).padStart(12, "0")}`;
    const settings = { ...template.config, name: `bulk-${index}`, smbios1: `uuid=${unique}`, vmgenid: unique };
    delete (settings as Record<string, string>)["template"];
    world.guests[vmid] = { ...structuredClone(template), vmid, config: settings };
  }
  await bench.restart();
  const imported: Instance[] = [];
  for (let index = 0; index < 100; index++) imported.push(await bench.vm.import({ id: String(2000 + index) }));
  await bench.restart();
  const { total, list } = await counted(async () => {
    await Promise.all(
      imported.map(async (instance, index) => {
        const read = await bench.vm.refresh(instance);
        const plan = await bench.vm.plan(read, { name: `bulk-${index}` });
        expect(plan.action).toBe("no-op");
      }),
    );
  });
  expect(total, list.join("\n")).toBeLessThanOrEqual(105);
});

import { afterAll, beforeAll, expect, test } from "vitest";
import type { Instance } from "../../harness/index.ts";
import { Bench, fromImage, rootfs } from "./suite.ts";

let bench: Bench;

beforeAll(async () => {
  bench = await Bench.openWith();
});
afterAll(() => bench.close());

interface Summary {
  calls: { endpoint: string; count: number }[];
}

/** Calls that were made meanwhile; those that look at tasks do not count. */
async function counted(work: () => Promise<unknown>) {
  const { log } = bench.simulator.sim;
  log.clear();
  await work();
  const asked = (log.summary() as Summary).calls.filter(({ endpoint }) => !endpoint.includes("/tasks"));
  const sum = (some: Summary["calls"]) => some.reduce((all, { count }) => all + count, 0);
  return {
    total: sum(asked),
    of: (endpoint: string) => sum(asked.filter((call) => call.endpoint.startsWith(endpoint))),
    list: asked.map(({ endpoint, count }) => `${count} ${endpoint}`),
  };
}

const config = (index: number) => ({
  ...fromImage,
  name: `counted-${index}`,
  vmid: 1000 + index,
  cpu: { cores: 4 },
  memory: { size: "8G" },
  mounts: { rootfs, mp0: { storage: "local-lvm", size: "1G", path: "/data" } },
  networks: { net0: { bridge: "vmbr0", vlan: 20, ipv4: { address: "10.0.20.11/24", gateway: "10.0.20.1" } } },
});

test("making a container takes at most 6 calls, and three for all containers of a run", async () => {
  const plan = await bench.container.plan(null, config(1));
  const next = await bench.container.plan(null, config(2));
  await bench.restart();
  const first = await counted(() => bench.container.apply(plan, config(1)));
  expect(first.total, first.list.join("\n")).toBeLessThanOrEqual(9);
  const second = await counted(() => bench.container.apply(next, config(2)));
  expect(second.total, second.list.join("\n")).toBeLessThanOrEqual(6);
});

test("refreshing and planning 100 containers takes at most 105 calls", async () => {
  const golden = bench.guest(9100);
  const { world } = bench.simulator.sim;
  for (let index = 0; index < 100; index++) {
    const vmid = 2000 + index;
    const net0 = `name=eth0,bridge=vmbr0,hwaddr=BC:24:11:AA:00:${index.toString(16).padStart(2, "0")},type=veth`;
    const settings: Record<string, string> = { ...golden.config, hostname: `bulk-${index}`, net0 };
    delete settings["template"];
    world.guests[vmid] = { ...structuredClone(golden), vmid, config: settings };
  }
  await bench.restart();
  const imported: Instance[] = [];
  for (let index = 0; index < 100; index++) imported.push(await bench.container.import({ id: String(2000 + index) }));
  await bench.restart();
  const { total, list } = await counted(() =>
    Promise.all(
      imported.map(async (instance, index) => {
        const read = await bench.container.refresh(instance);
        const plan = await bench.container.plan(read, { name: `bulk-${index}` });
        expect(plan.action).toBe("no-op");
      }),
    ),
  );
  expect(total, list.join("\n")).toBeLessThanOrEqual(105);
});

test.each(["stopped", "running"])(
  "changing a %s container takes 2 reads in the plan, and 2 reads and one write in the apply",
  async (power) => {
    const index = power === "running" ? 3 : 4;
    const before = { ...config(index), power };
    const made = (await bench.container.apply(await bench.container.plan(null, before), before)) as Instance;
    const after = { ...before, cpu: { cores: 2 }, description: "changed", tags: ["a"] };
    await bench.restart();
    const planned = await counted(async () => bench.container.plan(await bench.container.refresh(made), after));
    expect(planned.of("GET /nodes/{node}/lxc/{vmid}"), planned.list.join("\n")).toBeLessThanOrEqual(2);
    const plan = await bench.container.plan(made, after);
    await bench.restart();
    const applied = await counted(() => bench.container.apply(plan, after));
    expect(bench.guest(1000 + index).config).toMatchObject({ cores: "2", tags: "a" });
    expect(applied.of("GET /nodes/{node}/lxc/{vmid}"), applied.list.join("\n")).toBeLessThanOrEqual(2);
    expect(applied.of("PUT /nodes/{node}/lxc/{vmid}"), applied.list.join("\n")).toBe(1);
    expect(applied.total, applied.list.join("\n")).toBeLessThanOrEqual(5);
  },
);

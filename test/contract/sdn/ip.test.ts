import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { attribute, ResourceBench } from "../resource-bench.ts";

let bench: ResourceBench;

beforeAll(async () => {
  bench = await ResourceBench.open();
});
beforeEach(async () => {
  bench.simulator.reset();
  bench.simulator.faults.clear();
  await bench.configure();
});
afterAll(() => bench.close());

const world = () => bench.simulator.sim.world;
const ip = () => bench.resource("proxmox_sdn_ip");
const mac = "BC:24:11:00:00:10";
const printer = { vnet: "guests", ip: "10.30.0.10", mac };

async function network({ zone = { ipam: "pve", simple: { dhcp: "dnsmasq" } }, cidr = "10.30.0.0/24" } = {}) {
  await bench.resource("proxmox_sdn_zone").create({ id: "nat", ...zone });
  await bench.resource("proxmox_sdn_vnet").create({ id: "guests", zone: "nat" });
  await bench.resource("proxmox_sdn_subnet").create({ vnet: "guests", cidr, gateway: cidr.replace(/0\/.*/, "1") });
}

const stored = () => world().sdn.addresses["nat"]?.["10.30.0.0/24"] ?? {};

test("an address is registered, found, imported and removed", async () => {
  await network();
  const now = await ip().create(printer);
  expect(stored()["10.30.0.10"]).toMatchObject({ mac });
  await ip().expectSettled(now, { ...printer, mac: mac.toLowerCase() });
  const imported = await ip().import({ id: "guests/10.30.0.10" });
  expect(attribute(imported, "mac")).toBe(mac);
  expect((await ip().plan(now, { ...printer, mac: "BC:24:11:00:00:11" })).action).toBe("replace");
  await ip().destroy(now);
  expect(stored()).not.toHaveProperty("10.30.0.10");
  expect(await ip().find(now)).toBeNull();
});

test("a subnet that the same run has staged is committed first", async () => {
  const zone = { id: "nat", ipam: "pve", simple: { dhcp: "dnsmasq" } };
  const plans = [
    await bench.resource("proxmox_sdn_zone").plan(null, zone),
    await bench.resource("proxmox_sdn_vnet").plan(null, { id: "guests", zone: "nat" }),
    await bench.resource("proxmox_sdn_subnet").plan(null, { vnet: "guests", cidr: "10.30.0.0/24" }),
    await ip().plan(null, printer),
    await bench.resource("proxmox_sdn_vnet").plan(null, { id: "later", zone: "nat" }),
  ] as const;
  await bench.configure();
  await bench.resource("proxmox_sdn_zone").apply(plans[0]);
  await bench.resource("proxmox_sdn_vnet").apply(plans[1]);
  await bench.resource("proxmox_sdn_subnet").apply(plans[2]);
  await ip().apply(plans[3]);
  expect(stored()["10.30.0.10"]).toMatchObject({ mac });
});

test("one commit serves the address and subnets that are applied beside it", async () => {
  const [zone, vnet, subnet] = ["zone", "vnet", "subnet"].map((type) => bench.resource(`proxmox_sdn_${type}`));
  if (!zone || !vnet || !subnet) throw new Error("no resources");
  const first = await zone.plan(null, { id: "nat", ipam: "pve", simple: { dhcp: "dnsmasq" } });
  const vnets = [
    await vnet.plan(null, { id: "guests", zone: "nat" }),
    await vnet.plan(null, { id: "later", zone: "nat" }),
  ];
  const own = await subnet.plan(null, { vnet: "guests", cidr: "10.30.0.0/24" });
  const other = await subnet.plan(null, { vnet: "later", cidr: "10.31.0.0/24" });
  const address = await ip().plan(null, printer);
  await bench.configure();
  const before = world().tasks.filter(({ type }) => type === "reloadnetworkall").length;
  await zone.apply(first);
  await vnet.apply(vnets[0] as (typeof vnets)[number]);
  await subnet.apply(own);
  await vnet.apply(vnets[1] as (typeof vnets)[number]);
  await Promise.all([ip().apply(address), subnet.apply(other)]);
  expect(stored()["10.30.0.10"]).toMatchObject({ mac });
  expect(world().sdn.running.subnets).toHaveProperty("nat-10.31.0.0-24");
  expect(world().tasks.filter(({ type }) => type === "reloadnetworkall").length - before).toBe(1);
});

test("an answer that is lost is proved, not repeated", async () => {
  await network();
  for (const method of ["POST", "DELETE"]) {
    bench.simulator.faults.order({
      do: "answer",
      call: `${method} /cluster/sdn/vnets/{vnet}/ips`,
      status: 596,
      after: 1,
    });
  }
  const now = await ip().create(printer);
  expect(stored()["10.30.0.10"]).toMatchObject({ mac });
  await ip().destroy(now);
  expect(stored()).not.toHaveProperty("10.30.0.10");
});

test("one that was removed by hand is created again, and its removal is no failure", async () => {
  await network();
  const now = await ip().create(printer);
  delete stored()["10.30.0.10"];
  await bench.configure();
  expect(await ip().find(now)).toBeNull();
  await ip().destroy(now);
});

describe("a plan refuses", () => {
  test("an address outside of the subnets", async () => {
    await network();
    await expect(ip().plan(null, { ...printer, ip: "10.31.0.10" })).rejects.toThrow(
      /No subnet of vnet `guests` contains 10\.31\.0\.10\. It has 10\.30\.0\.0\/24/,
    );
  });

  test("an address that is taken, and the gateway", async () => {
    await network();
    await ip().create(printer);
    await bench.configure();
    await expect(ip().plan(null, { ...printer, mac: "BC:24:11:00:00:12" })).rejects.toThrow("exists already");
    await expect(ip().plan(null, { ...printer, ip: "10.30.0.1" })).rejects.toThrow("Address of the gateway");
  });

  test("a zone without DHCP", async () => {
    await network({ zone: { ipam: "pve", simple: {} } as never });
    await expect(ip().plan(null, printer)).rejects.toThrow(/zone `nat`, which keeps no addresses/);
  });
});

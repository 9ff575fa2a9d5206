import { afterAll, beforeAll, expect, test } from "vitest";
import { ResourceBench } from "./resource-bench.ts";

let bench: ResourceBench;

beforeAll(async () => {
  bench = await ResourceBench.open();
});
afterAll(() => bench.close());

const world = () => bench.simulator.sim.world;
/** What uses it, and the way out, without a line of Perl's sources. */
const says = (user: string) =>
  new RegExp(
    `${user}(?!.*perl5)[\\s\\S]*Terraform removes this object before[\\s\\S]*-target=[\\s\\S]*create_before_destroy`,
  );

// Terraform destroys an object before it changes those that referred to it, so each of these runs begins with the removal.

test("a pool that a VM is in", async () => {
  const pools = bench.resource("proxmox_pool");
  const made = await pools.create({ id: "used" });
  world().access.pools["used"]?.vms.push(9000);
  await expect(pools.destroy(made)).rejects.toThrow(says("contains VM 9000"));
  world().access.pools["used"]?.vms.pop();
  await pools.destroy(made);
});

test("a notification endpoint that a matcher sends to", async () => {
  const [endpoints, matchers] = [
    bench.resource("proxmox_notification_endpoint"),
    bench.resource("proxmox_notification_matcher"),
  ];
  const made = await endpoints.create({ name: "mailer", sendmail: { mailto: ["a@lab.test"] } });
  const matcher = await matchers.create({ name: "night", targets: ["mailer"] });
  await expect(endpoints.destroy(made)).rejects.toThrow(says("referenced by: night"));
  await matchers.update(matcher, { name: "night" });
  await endpoints.destroy(made);
});

test("a zone that a vnet is in", async () => {
  const [zones, vnets] = [bench.resource("proxmox_sdn_zone"), bench.resource("proxmox_sdn_vnet")];
  const made = await zones.create({ id: "za", simple: {} });
  const net = await vnets.create({ id: "vn2", zone: "za" });
  await expect(zones.destroy(made)).rejects.toThrow(says("zone za is used by vnet vn2"));
  await vnets.destroy(net);
  await zones.destroy(made);
});

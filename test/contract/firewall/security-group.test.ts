import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { type ManagedResource, unknown } from "../../harness/index.ts";
import { attribute } from "../resource-bench.ts";
import { FirewallBench } from "./firewall-bench.ts";

let bench: FirewallBench;
let groups: ManagedResource;

beforeAll(async () => {
  bench = await FirewallBench.start();
});
afterEach(async () => {
  bench.simulator.faults.clear();
  for (const key of Object.keys(bench.files)) delete bench.files[key];
  await bench.configure();
});
afterAll(() => bench.close());
beforeAll(() => {
  groups = bench.resource("proxmox_firewall_security_group");
});

const http = { type: "in", action: "ACCEPT", macro: "HTTP" };
const https = { type: "in", action: "ACCEPT", proto: "tcp", dport: "443", comment: "and more" };

test("is created with its rules, changed in place, imported and destroyed", async () => {
  let now = await groups.create({ name: "web", rules: [http] });
  now = await groups.update(now, { name: "web", comment: "servers", rules: [https, http] });
  expect(bench.files["cluster"]?.groups["web"]).toMatchObject({
    comment: "servers",
    rules: [{ dport: "443", enable: "1" }, { macro: "HTTP" }],
  });
  await groups.expectSettled(await groups.import({ id: "web" }), {
    name: "web",
    comment: "servers",
    rules: [https, http],
  });
  now = await groups.update(now, { name: "web" });
  expect(bench.files["cluster"]?.groups["web"]).toEqual({ rules: [] });
  now = await groups.update(now, { name: "web", rules: [http] });
  await groups.destroy(now);
  expect(bench.files["cluster"]).toBeUndefined();
  await groups.destroy(now);
});

test("is renamed in place, and the rules that name it follow", async () => {
  const now = await groups.create({ name: "web", rules: [http] });
  const config = (name: string) => ({ vmid: 101, rules: [{ security_group: name, iface: "net0" }] });
  const rules = await bench.rules.create(config("web"));
  expect((await groups.plan(now, { name: "front", rules: [http] })).action).toBe("update");
  bench.simulator.faults.order({ do: "answer", call: "POST /cluster/firewall/groups", status: 596, after: 1 });
  const renamed = await groups.update(now, { name: "front", rules: [http] });
  expect(attribute(renamed, "name")).toBe("front");
  expect(bench.stored("guest/101")).toMatchObject([{ action: "front", iface: "net0" }]);
  const writes = await bench.writes(() => bench.rules.update(rules, config("front")));
  expect(writes).toEqual([]);
});

test("survives answers that are lost", async () => {
  for (const after of [{}, { after: 1 as const }]) {
    bench.simulator.faults.order({
      do: "answer",
      call: "POST /cluster/firewall/groups/{group}",
      status: 596,
      ...after,
    });
    const now = await groups.create({ name: "web", rules: [http, https] });
    expect(bench.files["cluster"]?.groups["web"]?.rules).toHaveLength(2);
    bench.simulator.faults.order({
      do: "answer",
      call: "DELETE /cluster/firewall/groups/{group}/{pos}",
      status: 596,
      ...after,
    });
    bench.simulator.faults.order({
      do: "answer",
      call: "DELETE /cluster/firewall/groups/{group}",
      status: 596,
      ...after,
    });
    await groups.destroy(now);
    expect(bench.files["cluster"]).toBeUndefined();
  }
});

test("is refused where it exists, and with rules that a group cannot have", async () => {
  await groups.create({ name: "web" });
  await bench.configure();
  await expect(groups.plan(null, { name: "web" })).rejects.toThrow(/exists already.*id = "web"/s);
  await expect(groups.plan(null, { name: "ops", rules: [{ ...http, macro: "HTPT" }] })).rejects.toThrow(
    /Did you mean .*`HTTP`/,
  );
  await expect(groups.plan(null, { name: "a-name-that-is-too-long" })).rejects.toThrow(/1 to 17/);
});

test("is planned with values that are not known yet", async () => {
  for (const more of [
    { name: unknown },
    { comment: unknown },
    { rules: unknown },
    { rules: [{ ...http, source: unknown }] },
  ]) {
    expect((await groups.plan(null, { name: "web", ...more })).action).toBe("create");
  }
});

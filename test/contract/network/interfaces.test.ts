import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Input, Instance } from "../../harness/index.ts";
import { attribute, ResourceBench } from "../resource-bench.ts";

let bench: ResourceBench;

beforeAll(async () => {
  bench = await ResourceBench.open({ env: { PROXMOX_VE_TASK_TIMEOUT: "1s" } });
});
beforeEach(async () => {
  bench.simulator.reset();
  await bench.configure();
});
afterAll(() => bench.close());

const pve1 = () => {
  const host = bench.simulator.sim.world.nodes["pve1"];
  if (host === undefined) throw new Error("the seed has no pve1");
  return host;
};
const nic = () => bench.resource("proxmox_network_interface");
const reloads = () => bench.simulator.sim.world.tasks.filter(({ type }) => type === "srvreload").length;
const bridge = (n: number, more: Record<string, Input> = {}) => ({
  node: "pve1",
  name: `vmbr${n}`,
  bridge: {},
  ...more,
});

test("five interfaces of a node take one reload", async () => {
  const configs = [...[5, 6, 7].map((n) => bridge(n)), { node: "pve1", name: "vmbr5.20", vlan: {} }, bridge(8)];
  const plans = await Promise.all(configs.map((config) => nic().plan(null, config)));
  await bench.configure();
  const before = reloads();
  const made = await Promise.all(plans.slice(0, 3).map((plan) => nic().apply(plan)));
  made.push(...(await Promise.all(plans.slice(3).map((plan) => nic().apply(plan)))));
  expect(reloads() - before).toBe(1);
  expect(Object.keys(pve1().interfaces)).toEqual(expect.arrayContaining(["vmbr5", "vmbr5.20", "vmbr8"]));
  await nic().expectSettled(made[0] as Instance, configs[0] as Input);
});

test("an interrupted run is completed by the next apply", async () => {
  const made = await nic().create(bridge(5));
  const plan = await nic().plan(made, bridge(5, { mtu: 9000 }));
  bench.simulator.faults.order({ do: "reset", call: "PUT /nodes/{node}/network", times: 0 });
  bench.simulator.faults.order({ do: "reset", call: "DELETE /nodes/{node}/network", times: 0 });
  await expect(nic().apply(plan)).rejects.toThrow();
  bench.simulator.faults.clear();
  expect(pve1().newInterfaces).toBeDefined();
  await bench.configure();
  const found = await nic().refresh(made);
  expect(attribute(found, "applied")).toBe(false);
  const next = await nic().plan(found, bridge(5, { mtu: 9000 }));
  expect(next.action).toBe("update");
  await nic().apply(next);
  expect(pve1()).not.toHaveProperty("newInterfaces");
});

test("the provider is killed between the changes and the reload, and the next run reloads once", async () => {
  const configs = [5, 6].map((n) => bridge(n));
  const plans = await Promise.all(configs.map((config) => nic().plan(null, config)));
  await bench.configure();
  let created = 0;
  const stop = bench.simulator.sim.log.subscribe(({ method, path }) => {
    if (method === "POST" && path.endsWith("/nodes/pve1/network") && ++created === 2)
      bench.provider.process.kill("SIGKILL");
  });
  await Promise.allSettled(plans.map((plan) => nic().apply(plan)));
  stop();
  expect(pve1().newInterfaces).toMatchObject({ vmbr5: {}, vmbr6: {} });
  await expect.poll(() => bench.provider.process.signalCode).toBe("SIGKILL");
  await bench.restart();
  const before = reloads();
  const again = await Promise.all(configs.map((config) => nic().plan(null, config)));
  await Promise.all(again.map((plan) => nic().apply(plan)));
  expect(reloads() - before).toBe(1);
  expect(pve1().interfaces).toMatchObject({ vmbr5: {}, vmbr6: {} });
});

test("a removal that an interrupted run has staged is committed, or taken back", async () => {
  const made = await nic().create(bridge(5));
  for (const isWanted of [true, false]) {
    const { vmbr5: _, ...others } = structuredClone(pve1().interfaces);
    pve1().newInterfaces = others;
    await bench.configure();
    const found = await nic().refresh(made);
    expect(attribute(found, "applied")).toBe(false);
    if (isWanted) await nic().apply(await nic().plan(found, bridge(5)));
    else await nic().destroy(found);
    expect("vmbr5" in pve1().interfaces).toBe(isWanted);
    expect("vmbr5" in (pve1().newInterfaces ?? pve1().interfaces)).toBe(isWanted);
  }
});

test("a reload that fails is reported, with what the node has now", async () => {
  bench.simulator.faults.order({ do: "fail", task: "srvreload", node: "pve1", text: "ifreload failed" });
  await expect(nic().create(bridge(5))).rejects.toThrow(/Unable to reload the network of pve1.*ifreload failed/s);
});

test("a node that goes down in the reload is reported", async () => {
  bench.simulator.faults.order({ do: "offline", node: "pve1", call: "PUT /nodes/{node}/network" });
  await expect(nic().create(bridge(5))).rejects.toThrow(/pve1/);
});

describe("changes of other clients", () => {
  test("that come between the changes and the reload stop it", async () => {
    const stop = bench.simulator.sim.log.subscribe(({ method, path }) => {
      if (method !== "POST" || !path.endsWith("/nodes/pve1/network")) return;
      const staged = pve1().newInterfaces;
      if (staged) staged["vmbr4"] = { type: "bridge", bridge_ports: "", method: "manual", families: ["inet"] };
    });
    await expect(nic().create(bridge(5))).rejects.toThrow(/vmbr4 \(new\)\. What this run has staged waits/);
    stop();
    expect(pve1().interfaces).not.toHaveProperty("vmbr4");
  });
});

describe("changes of other clients before a run", () => {
  beforeEach(() => {
    pve1().newInterfaces = {
      ...structuredClone(pve1().interfaces),
      vmbr4: { type: "bridge", bridge_ports: "", method: "manual", families: ["inet"] },
    };
  });

  test("are shown in the plan, and stop the apply before it writes", async () => {
    const plan = await nic().plan(null, bridge(5));
    expect(plan.warnings.map(({ detail }) => detail).join()).toContain("vmbr4 (new)");
    await bench.configure();
    await expect(nic().apply(plan)).rejects.toThrow(/vmbr4 \(new\)\. Nothing was changed/);
  });

  test("are committed with `commit_foreign`", async () => {
    await nic().create(bridge(5, { commit_foreign: true }));
    expect(pve1().interfaces).toHaveProperty("vmbr4");
  });
});

describe("the connection to the node", () => {
  const own = { node: "pve1", name: "vmbr0" };
  const config = (instance: Instance, more: Record<string, Input> = {}): Record<string, Input> => ({
    ...own,
    ipv4: attribute(instance, "ipv4") as Input,
    bridge: { ports: ["eth0"], vlan_aware: true },
    ...more,
  });

  test("is not cut without permission", async () => {
    const found = await nic().import({ id: "pve1/vmbr0" });
    await nic().expectSettled(found, config(found));
    const moved = config(found, { ipv4: { address: "198.51.100.7/24" } });
    await expect(nic().plan(found, moved)).rejects.toThrow(
      /by which node pve1 is reached, and the change takes it away/,
    );
    const bare = config(found, { bridge: { vlan_aware: true } });
    await expect(nic().plan(found, bare)).rejects.toThrow(/`bridge.ports` can interrupt it/);
    await expect(nic().destroy(found)).rejects.toThrow(/without it the node does not answer/);
    expect((await nic().plan(found, config(found, { comment: "uplink" }))).action).toBe("update");
    expect((await nic().plan(found, { ...moved, allow_disconnect: true })).action).toBe("update");
  });

  test("is proved after a reload, and its loss is reported", async () => {
    const found = await nic().import({ id: "pve1/vmbr0" });
    const moved = config(found, { ipv4: { address: "198.51.100.7/24" }, allow_disconnect: true });
    const plan = await nic().plan(found, moved);
    await expect(nic().apply(plan)).rejects.toThrow(/Node pve1 cannot be reached: .*console/);
  });
});

test("a physical interface is taken over, and its settings go when it is destroyed", async () => {
  pve1().nics = ["eth0", "eth1"];
  pve1().interfaces["eth1"] = { type: "eth", exists: 1, method: "manual", method6: "manual", families: ["inet"] };
  await bench.configure();
  const made = await nic().create({ node: "pve1", name: "eth1", mtu: 9000, ipv4: { address: "10.1.1.1/24" }, eth: {} });
  expect(pve1().interfaces["eth1"]).toMatchObject({ mtu: "9000", address: "10.1.1.1" });
  await nic().destroy(made);
  expect(pve1().interfaces["eth1"]).not.toHaveProperty("mtu");
  expect(pve1().interfaces["eth1"]).not.toHaveProperty("address");
});

test("a port of Open vSwitch gets a VLAN, and is a plain port again when it is destroyed", async () => {
  const host = pve1();
  host.hasOpenVSwitch = true;
  host.nics = ["eth0", "eth1"];
  host.interfaces["eth1"] = { type: "eth", exists: 1, method: "manual", method6: "manual", families: ["inet"] };
  await bench.configure();
  const bridged = await nic().create({ node: "pve1", name: "vmbr5", ovs_bridge: { ports: ["eth1"] } });
  const port = { node: "pve1", name: "eth1", ovs_port: { bridge: "vmbr5", vlan: 20 } };
  const made = await nic().create(port);
  expect(host.interfaces["eth1"]).toMatchObject({ type: "OVSPort", ovs_bridge: "vmbr5", ovs_tag: "20" });
  await nic().expectSettled(made, port);
  const changed = { ...port, ovs_port: { bridge: "vmbr5", vlan: 30, options: "vlan_mode=access" } };
  const now = await nic().update(made, changed);
  expect(host.interfaces["eth1"]).toMatchObject({ ovs_tag: "30", ovs_options: "vlan_mode=access" });
  await nic().destroy(now);
  expect(host.interfaces["eth1"]).toMatchObject({ type: "OVSPort", ovs_bridge: "vmbr5" });
  expect(host.interfaces["eth1"]).not.toHaveProperty("ovs_tag");
  await nic().destroy(bridged);
});

test("an internal port of Open vSwitch moves to another bridge as a new one, and no other client is blamed", async () => {
  pve1().hasOpenVSwitch = true;
  await bench.configure();
  const first = await nic().create({ node: "pve1", name: "vmbr5", ovs_bridge: {} });
  const second = await nic().create({ node: "pve1", name: "vmbr6", ovs_bridge: {} });
  await bench.configure();
  const made = await nic().create({ node: "pve1", name: "mgmt", ovs_int_port: { bridge: "vmbr5" } });
  const moved = { node: "pve1", name: "mgmt", ovs_int_port: { bridge: "vmbr6" } };
  expect((await nic().plan(made, moved)).action).toBe("replace");
  await bench.configure();
  const now = await nic().change(made, moved);
  expect(pve1().interfaces).toMatchObject({ mgmt: { ovs_bridge: "vmbr6" }, vmbr6: { ovs_ports: "mgmt" } });
  await nic().destroy(now);
  await nic().destroy(await nic().refresh(first));
  await nic().destroy(await nic().refresh(second));
});

test("a bridge has a VLAN of a network card as its port, which it makes itself", async () => {
  const host = bench.simulator.sim.world.nodes["pve1"] ?? expect.fail();
  const made = await nic().create({ node: "pve1", name: "vmbr5", bridge: { ports: ["eth0.20"] } });
  expect(host.interfaces["vmbr5"]).toMatchObject({ bridge_ports: "eth0.20" });
  await nic().destroy(made);
});

test("a VLAN is planned on an interface of the same run, and refused on one that cannot carry it", async () => {
  const vlan = { node: "pve1", name: "vlan30", vlan: { raw_device: "vmbr6" } };
  const [plan] = await Promise.all([
    nic().plan(null, vlan),
    nic().plan(null, { node: "pve1", name: "vmbr6", bridge: {} }),
  ]);
  expect(plan.action).toBe("create");
  const { interfaces } = bench.simulator.sim.world.nodes["pve1"] ?? expect.fail();
  interfaces["vmbr6"] = { type: "OVSBridge", method: "manual", method6: "manual", families: ["inet"] };
  await bench.configure();
  await expect(nic().plan(null, vlan)).rejects.toThrow(/`OVSBridge`.*ovs_int_port/s);
  delete interfaces["vmbr6"];
});

test("an address of another interface is refused, unless the same plan takes it from there", async () => {
  // No apply follows a refused plan, so the next session plans for the first time.
  await expect(nic().plan(null, bridge(5, { bridge: { ports: ["eth9"] } }))).rejects.toThrow();
  await bench.configure();
  const given = String(pve1().interfaces["vmbr0"]?.["cidr"]);
  const clash = new RegExp(`${given} is the address of \`vmbr0\` on pve1`);
  await expect(nic().plan(null, bridge(5, { ipv4: { address: given } }))).rejects.toThrow(clash);
  const [first, second] = [{ ipv4: { address: "10.9.0.1/24" } }, { ipv4: { address: "10.9.0.2/24" } }];
  const made = await nic().create(bridge(5, first));
  await nic().plan(null, bridge(6, second));
  await expect(nic().plan(null, bridge(7, second))).rejects.toThrow("is the address of `vmbr6` on pve1");
  await bench.configure();
  const found = await nic().refresh(made);
  // The address goes from one to the other, whichever is planned first.
  await nic().plan(null, bridge(6, first));
  await nic().plan(found, bridge(5, second));
});

describe("a plan refuses", () => {
  test.each([
    [{ bridge: { vids: ["10"] } }, "VLANs of a bridge that is not VLAN aware"],
    [{ bridge: { ports: ["eth9"] } }, "No such interface"],
    [{ bridge: { ports: ["eth0"] } }, "Interface in use"],
    [{ bridge: {}, ipv4: { address: "10.0.0.1/24", gateway: "10.0.0.254" } }, "Second default gateway"],
    [{ bond: { slaves: ["eth0"], mode: "802.3ad" } }, "Not a name for a bond"],
    [{ vlan: { id: 20 } }, "Interface of the VLAN needed"],
    [{ vlan: { id: 20, raw_device: "eth9" } }, "Node pve1 has no interface `eth9`"],
    [{ name: "eth9.20", vlan: {} }, "Node pve1 has no interface `eth9`"],
    [{ bridge: { ports: ["eth9.20"] } }, "Node pve1 has no interface `eth9`"],
  ] as const)("%j", async (config, summary) => {
    await expect(nic().plan(null, { node: "pve1", name: "vmbr5", ...(config as object) })).rejects.toThrow(summary);
  });
});

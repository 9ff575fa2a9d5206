import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { defaultSeed } from "#simulator";
import { type ManagedResource, unknown } from "../../harness/index.ts";
import { attribute, ResourceBench } from "../resource-bench.ts";

let bench: ResourceBench;

beforeAll(async () => {
  const seed = defaultSeed() as { guests: object[] };
  const guests = [101, 102, 103].map((vmid) => ({ vmid, node: "pve1", config: { name: `web-${vmid}` } }));
  bench = await ResourceBench.open({ seed: { ...seed, guests: [...seed.guests, ...guests] } });
});

afterEach(() => bench.simulator.faults.clear());

afterAll(() => bench.close());

const resources = (): ManagedResource => bench.resource("proxmox_ha_resource");
const onServer = (sid: string) => bench.simulator.sim.world.ha.resources[sid]?.options;

describe("an HA resource", () => {
  test("goes through its life cycle", async () => {
    const made = await resources().create({ sid: "vm:101", max_restart: 3, failback: false, comment: "shop" });
    expect(attribute(made, "state")).toBe("started");
    expect(onServer("vm:101")).toMatchObject({ max_restart: "3", failback: "0", comment: "shop" });
    const changed = await resources().update(made, { sid: "vm:101", state: "stopped", max_relocate: 2 });
    expect(onServer("vm:101")).toEqual({ state: "stopped", max_relocate: "2" });
    const imported = await resources().import({ id: "vm:101" });
    expect(imported.state).toEqual(changed.state);
    await resources().destroy(changed);
    expect(onServer("vm:101")).toBeUndefined();
  });

  test("that was changed or removed outside Terraform is found so by the next run", async () => {
    const [changed, removed] = [
      await resources().create({ sid: "vm:102" }),
      await resources().create({ sid: "vm:103" }),
    ];
    const { resources: sections } = bench.simulator.sim.world.ha;
    Object.assign(sections["vm:102"]?.options ?? {}, { state: "stopped" });
    delete sections["vm:103"];
    await bench.restart();
    // Starting and stopping the guest changes the state, so it is kept unless one is written.
    const drifted = await resources().refresh(changed);
    expect((await resources().plan(drifted, { sid: "vm:102" })).action).toBe("no-op");
    await resources().update(drifted, { sid: "vm:102", state: "started" });
    expect(onServer("vm:102")?.["state"]).toBe("started");
    expect(await resources().find(removed)).toBeNull();
    await resources().destroy(removed); // removing it twice is no error
  });

  test("is planned for a VM whose id is not known yet", async () => {
    const vms = bench.resource("proxmox_vm");
    const vm = await vms.create({ name: "fresh", clone: { template: "debian-13-cloud" }, power: "stopped" });
    const sid = `vm:${attribute(vm, "vmid")}`;
    const made = await resources().create({ sid, state: "ignored" }, { sid: unknown, state: "ignored" });
    await resources().destroy(made);
    await vms.destroy(vm);
  });
});

describe("is refused while planning:", () => {
  test.each([
    ["a number alone", { sid: "101" }, /Must be "vm:" or "ct:" and a VMID/],
    ["a guest that does not exist", { sid: "vm:999" }, /Guest `999` does not exist. [\s\S]*`101`/],
    ["a guest of another kind", { sid: "ct:101" }, /101 is a VM: write `vm:101`/],
    ["an unknown state", { sid: "vm:101", state: "running" }, /"started", "stopped", "disabled", "ignored"/],
    ["a negative number", { sid: "vm:101", max_restart: -1 }, /at least 0/],
  ])("%s", async (_, config, message) => {
    await expect(resources().plan(null, config)).rejects.toThrow(message);
  });

  test("a guest that is already under HA, and one that `ha` of a VM manages", async () => {
    const vms = bench.resource("proxmox_vm");
    const clone = { template: "debian-13-cloud" };
    const config = { name: "watched", vmid: 131, clone, power: "stopped", ha: { state: "stopped" } };
    await vms.plan(null, config);
    await expect(resources().plan(null, { sid: "vm:131" })).rejects.toThrow("`ha` of a `proxmox_vm` manages");
    bench.simulator.sim.world.ha.resources["vm:101"] = { type: "vm", options: {} };
    await bench.configure();
    await expect(resources().plan(null, { sid: "vm:101" })).rejects.toThrow('id = "vm:101"');
    delete bench.simulator.sim.world.ha.resources["vm:101"];
    await bench.configure();
  });

  test("`ha` of a guest that a resource manages, if the resource is planned first", async () => {
    const vms = bench.resource("proxmox_vm");
    const vm = await vms.create({ name: "owned", clone: { template: "debian-13-cloud" }, power: "stopped" });
    const sid = `vm:${attribute(vm, "vmid")}`;
    await resources().plan(null, { sid, state: "ignored" });
    const config = { name: "owned", clone: { template: "debian-13-cloud" }, power: "stopped", ha: { max_restart: 2 } };
    await expect(vms.plan(vm, config)).rejects.toThrow(`A \`proxmox_ha_resource\` manages "${sid}" already`);
    await bench.configure();
    await vms.destroy(vm);
  });

  test("other options of a guest that HA has given up, until it is disabled", async () => {
    const guests = [{ vmid: 104, node: "pve1", config: { name: "broken", hotplug: "memory", numa: "0" } }];
    const other = await ResourceBench.open({ seed: { ...(defaultSeed() as object), guests } });
    const made = await other.resource("proxmox_ha_resource").create({ sid: "vm:104" });
    const { services } = other.simulator.sim.world.ha;
    await expect.poll(() => services["vm:104"]?.state).toBe("error");
    await other.restart();
    const given = other.resource("proxmox_ha_resource");
    await expect(given.plan(made, { sid: "vm:104", comment: "web" })).rejects.toThrow("HA has given up the guest");
    const disabled = await given.update(made, { sid: "vm:104", state: "disabled" });
    await expect.poll(() => services["vm:104"]?.state).toBe("stopped");
    await other.restart();
    await other.resource("proxmox_ha_resource").update(disabled, { sid: "vm:104", state: "ignored" });
    await other.close();
  });

  test("one that was added since the plan", async () => {
    const plan = await resources().plan(null, { sid: "vm:101" });
    bench.simulator.sim.world.ha.resources["vm:101"] = { type: "vm", options: {} };
    await expect(resources().apply(plan)).rejects.toThrow("exists already");
    delete bench.simulator.sim.world.ha.resources["vm:101"];
    await bench.configure();
  });
});

test("lost responses do not lose completed work", async () => {
  const order = (call: string) => bench.simulator.faults.order({ do: "answer", call, status: 596, after: 1 });
  order("POST /cluster/ha/resources");
  const made = await resources().create({ sid: "vm:101", state: "stopped" });
  order("PUT /cluster/ha/resources/{sid}");
  const changed = await resources().update(made, { sid: "vm:101", state: "ignored", comment: "found" });
  expect(onServer("vm:101")).toMatchObject({ comment: "found" });
  order("DELETE /cluster/ha/resources/{sid}");
  await resources().destroy(changed);
  expect(onServer("vm:101")).toBeUndefined();
});

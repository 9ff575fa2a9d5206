import { describe, expect, it } from "vitest";
import { type SimulatedCluster, startCluster, template } from "./simulated-cluster.ts";

const cloneTo = ({ client }: SimulatedCluster, newid: number, name: string) =>
  client.operations.clone({ source: template, request: { newid, name } });

const waitUntilOld = () => new Promise((resolve) => setTimeout(resolve, 1050));

describe("the inventory", () => {
  it("is read once for all callers", async () => {
    await using cluster = await startCluster();
    const { inventory } = cluster.client;
    await Promise.all([
      inventory.snapshot(),
      inventory.locate(9000),
      inventory.find("qemu", 9001),
      inventory.getTemplate("talos-1.11"),
      inventory.findTemplates({}),
    ]);
    await inventory.list("qemu");
    expect(cluster.calls("GET /cluster/resources")).toBe(1);
    expect(cluster.calls("GET /nodes/{node}/qemu")).toBe(
      new Set((await inventory.list("qemu")).map(({ node }) => node)).size,
    );
  });

  it("includes nodes, storages and pools", async () => {
    await using cluster = await startCluster();
    const { nodes, storages } = await cluster.client.inventory.snapshot();
    expect([...nodes.keys()].sort()).toEqual(["pve1", "pve2", "pve3"]);
    expect(new Set(storages.map(({ storage }) => storage))).toContain("local-lvm");
  });

  it("has live names where the cluster's own list lags behind", async () => {
    await using cluster = await startCluster();
    await cloneTo(cluster, 401, "brand-new");
    const { inventory } = cluster.client;
    const [found] = await inventory.findByName("qemu", "brand-new");
    expect(found).toMatchObject({ vmid: 401, node: "pve1", status: "stopped", isTemplate: false, isStale: false });
  });

  it("reads again before it reports a guest as missing", async () => {
    await using cluster = await startCluster();
    const { inventory } = cluster.client;
    expect(await inventory.locate(401)).toBeNull();
    await cloneTo(cluster, 401, "late");
    await waitUntilOld();
    expect(await inventory.locate(401)).toMatchObject({ vmid: 401, node: "pve1" });
    expect(await inventory.findByName("qemu", "late")).toHaveLength(1);
    expect(cluster.calls("GET /cluster/resources")).toBe(2);
  });

  it("finds at once what this process has created, however fresh its data", async () => {
    await using cluster = await startCluster();
    const { inventory } = cluster.client;
    await inventory.snapshot();
    await cloneTo(cluster, 401, "first");
    expect(await inventory.locate(401)).toMatchObject({ vmid: 401, node: "pve1" });
    await cloneTo(cluster, 402, "second");
    expect(await inventory.findByName("qemu", "second")).toHaveLength(1);
    await cloneTo(cluster, 403, "third");
    expect(await inventory.find("qemu", 403)).toMatchObject({ name: "third" });
    await cloneTo(cluster, 404, "fourth");
    inventory.forgetIfChanged();
    expect((await inventory.list("qemu")).map(({ vmid }) => vmid)).toContain(404);
    const asked = cluster.calls("GET /cluster/resources");
    inventory.forgetIfChanged();
    await inventory.list("qemu");
    expect(cluster.calls("GET /cluster/resources")).toBe(asked);
  });

  it("does not read again for each of many missing guests", async () => {
    await using cluster = await startCluster();
    const { inventory } = cluster.client;
    await inventory.snapshot();
    await waitUntilOld();
    await Promise.all(Array.from({ length: 30 }, (_, index) => inventory.locate(600 + index)));
    expect(cluster.calls("GET /cluster/resources")).toBe(2);
  });

  it("shows what this client has changed, in lists, snapshots and single guests", async () => {
    await using cluster = await startCluster();
    const { client } = cluster;
    const { inventory } = client;
    await inventory.list("qemu");
    const { vm } = await cloneTo(cluster, 401, "new");
    expect((await inventory.snapshot()).guests.get(401)).toMatchObject({ node: "pve1" });
    expect((await inventory.list("qemu")).find(({ vmid }) => vmid === 401)).toMatchObject({ name: "new" });
    await client.operations.run(vm, { what: "start", submit: () => client.power.start(vm) });
    expect(await inventory.find("qemu", 401)).toMatchObject({ status: "running" });
    await client.operations.run(vm, {
      what: "rename",
      submit: () => client.qemu.updateConfig(vm, { name: "renamed" }),
    });
    expect((await inventory.findByName("qemu", "renamed")).map(({ vmid }) => vmid)).toEqual([401]);
    expect(await inventory.findByName("qemu", "new")).toEqual([]);
  });

  it("is kept until `forget`, for a client that asks for it", async () => {
    await using cluster = await startCluster();
    const client = cluster.connect({}, { keepInventory: true });
    const { inventory } = client;
    await inventory.list("qemu");
    await cloneTo({ ...cluster, client }, 401, "new");
    expect((await inventory.list("qemu")).map(({ vmid }) => vmid)).not.toContain(401);
    inventory.forget();
    expect((await inventory.list("qemu")).map(({ vmid }) => vmid)).toContain(401);
  });

  it("keeps the last data of a node that is down, marked as stale", async () => {
    await using cluster = await startCluster();
    const { simulator, client } = cluster;
    Object.assign(simulator.sim.world.guests[9001] ?? {}, { node: "pve3" });
    simulator.faults.order({ do: "offline", node: "pve3", reason: "No route to host" });
    const vms = await client.inventory.list("qemu");
    expect(vms.find(({ vmid }) => vmid === 9001)).toMatchObject({ node: "pve3", isStale: true });
  });
});

describe("a template", () => {
  it.each([
    ["by name", "ubuntu-24.04-cloud"],
    ["by id", 9000],
    ["by id as text", "9000"],
  ])("is found %s", async (_, reference) => {
    await using cluster = await startCluster();
    expect(await cluster.client.inventory.getTemplate(reference)).toMatchObject({
      vmid: 9000,
      name: "ubuntu-24.04-cloud",
      isTemplate: true,
    });
  });

  it("is found by tag", async () => {
    await using cluster = await startCluster();
    Object.assign(cluster.simulator.sim.world.guests[9001]?.config ?? {}, { tags: "golden;linux" });
    expect((await cluster.client.inventory.findTemplates({ tag: "golden" })).map(({ vmid }) => vmid)).toEqual([9001]);
  });

  it("that was just created is found by its name", async () => {
    await using cluster = await startCluster();
    const { client } = cluster;
    const { vm } = await cloneTo(cluster, 401, "fresh-template");
    await client.operations.run(vm, { what: "template", submit: () => client.qemu.makeTemplate(vm) });
    expect(await client.inventory.getTemplate("fresh-template")).toMatchObject({ vmid: 401 });
  });

  it("that is missing is reported with the visible ones", async () => {
    await using cluster = await startCluster();
    await expect(cluster.client.inventory.getTemplate("ubuntu-26.04")).rejects.toMatchObject({
      kind: "not_found",
      message: expect.stringMatching(
        /^template named "ubuntu-26\.04" does not exist; visible templates: .*ubuntu-24\.04-cloud \(9000\)/,
      ),
    });
    await expect(cluster.client.inventory.getTemplate(1234)).rejects.toThrow(
      "template with the id 1234 does not exist",
    );
  });

  it("with an ambiguous name is refused", async () => {
    await using cluster = await startCluster();
    Object.assign(cluster.simulator.sim.world.guests[9001]?.config ?? {}, { name: "ubuntu-24.04-cloud" });
    await expect(cluster.client.inventory.getTemplate("ubuntu-24.04-cloud")).rejects.toMatchObject({
      kind: "conflict",
      message: expect.stringContaining("2 templates are named"),
    });
  });

  it("is not an ordinary VM of that name", async () => {
    await using cluster = await startCluster();
    await cloneTo(cluster, 401, "just-a-vm");
    await expect(cluster.client.inventory.getTemplate("just-a-vm")).rejects.toMatchObject({ kind: "not_found" });
  });
});

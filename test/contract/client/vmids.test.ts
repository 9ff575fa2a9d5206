import { describe, expect, it } from "vitest";
import type { PveClient } from "../../../src/pve/client.ts";
import { PveError } from "../../../src/pve/errors.ts";
import { startCluster, template } from "./simulated-cluster.ts";

const cloneWithFreshId = (client: PveClient, name: string) =>
  client.vmids.withFreshId((newid) => client.operations.clone({ source: template, request: { newid, name } }));

describe("an automatic VMID", () => {
  it("is the lowest free one", async () => {
    await using cluster = await startCluster();
    expect((await cloneWithFreshId(cluster.client, "a")).vm.vmid).toBe(100);
    expect((await cloneWithFreshId(cluster.client, "b")).vm.vmid).toBe(101);
  });

  it("is given to one of many simultaneous callers", async () => {
    await using cluster = await startCluster();
    const made = await Promise.all(
      Array.from({ length: 20 }, (_, index) => cloneWithFreshId(cluster.client, `vm-${index}`)),
    );
    const ids = made.map(({ vm }) => vm.vmid);
    expect(new Set(ids).size).toBe(20);
    expect(cluster.lines.filter(({ message }) => message.startsWith("the VMID was taken"))).toEqual([]);
    expect(ids.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_, index) => 100 + index));
  });

  it("is another one when another client was faster", async () => {
    await using cluster = await startCluster();
    cluster.simulator.faults.order({ do: "take_vmid", times: 2 });
    const { vm } = await cloneWithFreshId(cluster.client, "mine");
    expect(vm.vmid).toBe(102);
    expect(cluster.simulator.sim.world.guests[100]?.config["name"]).toBe("taken-by-another");
    expect((await cluster.client.qemu.getConfig(vm)).name).toBe("mine");
    expect(cluster.lines.filter(({ message }) => message.startsWith("the VMID was taken"))).toHaveLength(2);
  });

  it("is found by two processes in a race", async () => {
    await using cluster = await startCluster();
    const clients = [cluster.client, cluster.connect()];
    const made = await Promise.all(
      clients.flatMap((client, who) =>
        Array.from({ length: 6 }, (_, index) => cloneWithFreshId(client, `vm-${who}-${index}`)),
      ),
    );
    expect(new Set(made.map(({ vm }) => vm.vmid)).size).toBe(12);
    const { guests } = cluster.simulator.sim.world;
    for (const { vm, config } of made) {
      expect(guests[vm.vmid]?.config["name"]).toBe(config?.name);
    }
  });

  it("is never one that the user has chosen elsewhere", async () => {
    await using cluster = await startCluster();
    cluster.client.vmids.reserve(100);
    cluster.client.vmids.reserve(102);
    const ids = await Promise.all(["a", "b"].map((name) => cloneWithFreshId(cluster.client, name)));
    expect(ids.map(({ vm }) => vm.vmid)).toEqual([101, 103]);
  });

  it("is free again when the creation fails for another reason", async () => {
    await using cluster = await startCluster();
    const failing = cluster.client.vmids.withFreshId(() => Promise.reject(new PveError("invalid", "no")));
    await expect(failing).rejects.toThrow("no");
    expect((await cloneWithFreshId(cluster.client, "a")).vm.vmid).toBe(100);
  });
});

describe("a VMID chosen by the user", () => {
  it("that is taken is an error, never a success", async () => {
    await using cluster = await startCluster();
    const { client } = cluster;
    await client.operations.clone({ source: template, request: { newid: 401, name: "theirs" } });
    await expect(
      client.operations.clone({ source: template, request: { newid: 401, name: "ours" } }),
    ).rejects.toMatchObject({ kind: "exists" });
    await expect(client.qemu.create("pve1", { vmid: 401 })).rejects.toMatchObject({ kind: "exists" });
    expect((await client.qemu.getConfig({ node: "pve1", vmid: 401 })).name).toBe("theirs");
  });

  it("that is taken on another node fails the task, and is still an error", async () => {
    await using cluster = await startCluster();
    const { client, simulator } = cluster;
    await client.operations.clone({ source: template, request: { newid: 401 } });
    Object.assign(simulator.sim.world.guests[401] ?? {}, { node: "pve2" });
    await expect(client.operations.clone({ source: template, request: { newid: 401 } })).rejects.toMatchObject({
      kind: "exists",
    });
  });
});

import { describe, expect, it } from "vitest";
import { startCluster, template } from "./simulated-cluster.ts";

describe("a task", () => {
  it("that fails returns its text, its id and the end of its log", async () => {
    await using cluster = await startCluster();
    cluster.simulator.faults.order({ do: "fail", task: "qmclone", text: "clone failed: out of space" });
    await expect(cluster.client.operations.clone({ source: template, request: { newid: 401 } })).rejects.toMatchObject({
      kind: "task",
      message: "clone failed: out of space",
      details: {
        upid: expect.stringMatching(/^UPID:pve1:.*:qmclone:9000:terraform@pve!tf:$/),
        log: expect.arrayContaining([expect.stringContaining("TASK ERROR: clone failed: out of space")]),
      },
    });
  });

  it("that leaves something behind succeeds, with its warnings", async () => {
    await using cluster = await startCluster();
    const { client } = cluster;
    const { vm } = await client.operations.clone({ source: template, request: { newid: 401 } });
    cluster.simulator.faults.order({ do: "refuse_delete", storage: "local-lvm", times: 0 });
    const result = await client.operations.run(vm, { what: "destroy", submit: () => client.qemu.remove(vm) });
    expect(result.warnings.length).toBeGreaterThan(0);
    expect(result.warnings[0]).toMatch(/Could not remove disk 'local-lvm:vm-401-/);
  });

  it("that the list shows late is still waited for, without a request per task", async () => {
    await using cluster = await startCluster();
    cluster.simulator.faults.order({ do: "task_list_lag", seconds: 3 });
    const { task } = await cluster.client.operations.clone({ source: template, request: { newid: 401 } });
    expect(task.warnings).toEqual([]);
    expect(cluster.calls("GET /nodes/{node}/tasks/{upid}/status")).toBeLessThanOrEqual(2);
  });

  it("that takes long is logged at every tenth poll", async () => {
    await using cluster = await startCluster();
    cluster.simulator.faults.order({ do: "slow", task: "qmclone", seconds: 40 });
    await cluster.client.operations.clone({ source: template, request: { newid: 401 } });
    const polls = cluster.lines.filter(({ message }) => message === "task is still running");
    expect(polls.slice(0, 2).map(({ fields }) => fields["polls"])).toEqual([10, 20]);
  });

  it("that is a clone is stopped when the caller aborts, and leaves nothing", async () => {
    await using cluster = await startCluster();
    const { client, simulator } = cluster;
    simulator.faults.order({ do: "slow", task: "qmclone", seconds: 600 });
    const controller = new AbortController();
    const cloning = client.operations.clone({ source: template, request: { newid: 401 }, signal: controller.signal });
    const failed = expect(cloning).rejects.toMatchObject({
      name: "WaitAborted",
      message: "interrupted",
      fate: "stopped",
    });
    while (!cluster.lines.some(({ message }) => message === "waiting for the task")) {
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    controller.abort(new Error("interrupted"));
    await failed;
    expect(cluster.calls("DELETE /nodes/{node}/tasks/{upid}")).toBe(1);
    expect(simulator.sim.world.guests[401]).toBeUndefined();
  });

  it("of a node that is offline for a while is waited for", async () => {
    await using cluster = await startCluster();
    const { client, simulator } = cluster;
    const source = { node: "pve2", vmid: 9001 };
    simulator.sim.world.guests[9001] && Object.assign(simulator.sim.world.guests[9001], { node: "pve2" });
    simulator.faults.order({ do: "slow", task: "qmclone", seconds: 20 });
    const cloning = client.operations.clone({ source, request: { newid: 401 } });
    while (!cluster.lines.some(({ message }) => message === "waiting for the task")) {
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    simulator.faults.order({ do: "offline", node: "pve2", seconds: 60, reason: "No route to host" });
    await expect(cloning).resolves.toMatchObject({ vm: { node: "pve2", vmid: 401 } });
    expect(cluster.lines).toContainEqual(expect.objectContaining({ level: "warn", message: "tasks cannot be polled" }));
  });
});

describe("many tasks", () => {
  it("cost one list request per poll, however many wait", async () => {
    await using cluster = await startCluster({ clonesPerTemplate: 100, clonesPerStorage: 100 });
    const { client, simulator } = cluster;
    const clone = (newid: number, signal?: AbortSignal) =>
      client.operations.clone({ source: template, request: { newid }, ...(signal && { signal }) });
    // Begins first and never ends, so it is waited for in every poll; its log lines count them at any load of the machine.
    simulator.faults.order({ do: "slow", task: "qmclone", seconds: 100_000 });
    const controller = new AbortController();
    const endless = expect(clone(499, controller.signal)).rejects.toThrow("enough");
    while (cluster.calls("GET /nodes/{node}/tasks") === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    simulator.faults.order({ do: "slow", task: "qmclone", seconds: 30, times: 0 });
    await Promise.all(Array.from({ length: 40 }, (_, index) => clone(500 + index)));
    const requests = cluster.calls("GET /nodes/{node}/tasks");
    const running = cluster.lines.filter(({ message }) => message === "task is still running");
    const polls = Math.max(0, ...running.map(({ fields }) => Number(fields["polls"])));
    expect(requests, "one line per ten polls, and a request in flight").toBeLessThanOrEqual(polls + 10);
    expect(cluster.calls("GET /nodes/{node}/tasks/{upid}/status")).toBe(0);
    controller.abort(new Error("enough"));
    await endless;
  });
});

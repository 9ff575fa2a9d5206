import { describe, expect, it } from "vitest";
import type { PveError } from "../../../src/pve/errors.ts";
import { markInConfig, type WriteTrace } from "../../../src/pve/outcome.ts";
import { type SimulatedCluster, startCluster, template } from "./simulated-cluster.ts";

const clone = "POST /nodes/{node}/qemu/{vmid}/clone";
const vm = { node: "pve1", vmid: 401 };
const mark = "made by run 7f3a";

/** A clone whose response may be lost, and what can be found out about it afterwards. */
async function cloneAndProve({ client }: SimulatedCluster, trace: Partial<WriteTrace> = {}) {
  const error = await client.qemu.clone(template, { newid: vm.vmid, description: mark }).then(
    () => expect.fail("the response should have been lost"),
    (reason: PveError) => reason,
  );
  expect(error).toMatchObject({ kind: "unreachable", mayHaveHappened: true });
  return await client.proveOutcome({
    node: template.node,
    sentAt: error.details.sentAt ?? 0,
    task: { type: "qmclone", id: String(template.vmid) },
    findMark: markInConfig(client.qemu, vm, ({ description }) => description === mark),
    ...trace,
  });
}

describe("a clone whose response is lost", () => {
  it.each([
    [
      "596 after the work was done",
      { do: "answer", call: clone, status: 596, reason: "Connection timed out", after: 1 } as const,
    ],
    ["a reset after the work was done", { do: "reset", call: clone, after: 1 } as const],
  ])("%s: is found by its task and its mark", async (_, fault) => {
    await using cluster = await startCluster();
    await cluster.client.cluster.getVersion();
    cluster.simulator.faults.order(fault);
    expect(await cloneAndProve(cluster)).toMatchObject({ kind: "done", task: { warnings: [] } });
    expect(cluster.calls(clone)).toBe(1);
  });

  it.each([
    [
      "596 before anything was done",
      { do: "answer", call: clone, status: 596, reason: "Connection timed out" } as const,
    ],
    ["a reset before anything was done", { do: "reset", call: clone } as const],
  ])("%s: is proved not to have happened", async (_, fault) => {
    await using cluster = await startCluster();
    await cluster.client.cluster.getVersion();
    cluster.simulator.faults.order(fault);
    expect(await cloneAndProve(cluster)).toEqual({ kind: "not_done" });
  });

  it("is found without a mark when only one task matches", async () => {
    await using cluster = await startCluster();
    await cluster.client.cluster.getVersion();
    cluster.simulator.faults.order({ do: "reset", call: clone, after: 1 });
    expect(await cloneAndProve(cluster, { findMark: undefined as never })).toMatchObject({ kind: "done" });
  });

  it("that PVE undid is proved to have failed", async () => {
    await using cluster = await startCluster();
    await cluster.client.cluster.getVersion();
    cluster.simulator.faults.order({ do: "reset", call: clone, after: 1 });
    cluster.simulator.faults.order({ do: "fail", task: "qmclone", text: "clone failed: out of space" });
    expect(await cloneAndProve(cluster)).toMatchObject({
      kind: "failed",
      error: { message: "clone failed: out of space" },
    });
  });

  it("is not mistaken for one that another client created with that VMID", async () => {
    await using cluster = await startCluster();
    const { client, simulator } = cluster;
    await client.operations.clone({ source: template, request: { newid: vm.vmid, description: "theirs" } });
    simulator.faults.order({ do: "reset", call: clone });
    expect(await cloneAndProve(cluster)).toEqual({ kind: "not_done" });
  });

  it("is distinguished by its mark from others of the same template", async () => {
    await using cluster = await startCluster();
    const { client, simulator } = cluster;
    const other = cluster.connect();
    await client.cluster.getVersion();
    simulator.faults.order({ do: "reset", call: clone, after: 1 });
    const proving = cloneAndProve(cluster);
    await Promise.all([402, 403].map((newid) => other.operations.clone({ source: template, request: { newid } })));
    expect(await proving).toMatchObject({ kind: "done" });
  });

  it("without a mark is unknown when several tasks match", async () => {
    await using cluster = await startCluster();
    const { client, simulator } = cluster;
    await client.cluster.getVersion();
    const sentAt = client.serverTime();
    const other = cluster.connect();
    await Promise.all([402, 403].map((newid) => other.operations.clone({ source: template, request: { newid } })));
    simulator.faults.order({ do: "reset", call: clone, after: 1 });
    await client.qemu.clone(template, { newid: 401 }).catch(() => {});
    const trace = { node: "pve1", sentAt, task: { type: "qmclone", id: "9000" } };
    expect(await client.proveOutcome(trace)).toEqual({
      kind: "unknown",
      reason: expect.stringContaining("3 tasks match"),
    });
  });
});

describe("two clones in one process", () => {
  it("are distinguished without a mark: the task whose response arrived is not the lost one's", async () => {
    await using cluster = await startCluster();
    const { client, simulator } = cluster;
    await client.cluster.getVersion();
    simulator.faults.order({ do: "slow", task: "qmclone", seconds: 10, times: 0 });
    simulator.faults.order({ do: "reset", call: clone });
    const lost = await client.qemu.clone(template, { newid: 401 }).catch((reason: PveError) => reason);
    const other = client.operations.clone({ source: template, request: { newid: 402 } });
    const sentAt = (lost as PveError).details.sentAt ?? 0;
    const trace = { node: "pve1", sentAt, task: { type: "qmclone", id: "9000" } };
    expect(await client.proveOutcome(trace)).toEqual({ kind: "not_done" });
    await other;
  });
});

describe("a configuration change whose response is lost", () => {
  it.each([
    ["after", { kind: "done", task: null }],
    ["before", { kind: "not_done" }],
  ])("%s it was made is proved by the configuration", async (when, outcome) => {
    await using cluster = await startCluster();
    const { client, simulator } = cluster;
    await client.operations.clone({ source: template, request: { newid: vm.vmid } });
    const call = "PUT /nodes/{node}/qemu/{vmid}/config";
    simulator.faults.order({
      do: "answer",
      call,
      status: 596,
      reason: "Connection timed out",
      after: when === "after" ? 1 : 0,
    });
    const sentAt = client.serverTime();
    await expect(client.qemu.updateConfig(vm, { cores: 7 })).rejects.toMatchObject({ mayHaveHappened: true });
    const findMark = async () =>
      (await client.qemu.getConfig(vm)).options["cores"] === "7" ? ("ours" as const) : ("absent" as const);
    expect(await client.proveOutcome({ node: "pve1", sentAt, findMark })).toEqual(outcome);
  });

  it("without task or mark is reported as unknown", async () => {
    await using cluster = await startCluster();
    expect(await cluster.client.proveOutcome({ node: "pve1", sentAt: cluster.client.serverTime() })).toMatchObject({
      kind: "unknown",
    });
  });
});

describe("a read whose response is lost", () => {
  it.each([
    ["a reset", { do: "reset", call: "GET /version" } as const],
    ["596", { do: "answer", call: "GET /version", status: 596, reason: "Connection timed out" } as const],
    ["595", { do: "answer", call: "GET /version", status: 595, reason: "Connection refused" } as const],
  ])("by %s is sent again", async (_, fault) => {
    await using cluster = await startCluster();
    cluster.simulator.faults.order(fault);
    expect(await cluster.client.cluster.getVersion()).toMatchObject({ release: expect.any(String) });
    expect(cluster.calls("GET /version")).toBe(2);
  });
});

import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { ResourceBench } from "../resource-bench.ts";
import { invoke } from "../vm/streams.ts";

let bench: ResourceBench;

beforeAll(async () => {
  bench = await ResourceBench.open({ env: { PROXMOX_VE_LOCK_WAITS: "10ms,20ms", PROXMOX_VE_TASK_TIMEOUT: "2s" } });
});
beforeEach(async () => {
  bench.simulator.reset();
  bench.simulator.faults.clear();
  await bench.configure();
});
afterAll(() => bench.close());

const world = () => bench.simulator.sim.world;
const commits = () => world().tasks.filter(({ type }) => type === "reloadnetworkall").length;
const act = async (type: string, config: Record<string, string | boolean> = {}) => {
  const { progress, diagnostics } = await invoke(bench.provider, `proxmox_${type}`, config);
  return { progress, said: diagnostics.map(({ summary, detail }) => `${summary}: ${detail}`).join("\n") };
};

const stage = () => {
  world().sdn.zones["theirs"] = { type: "simple", options: {} };
};

describe("proxmox_sdn_apply", () => {
  test("commits what any client has staged, and says what that is", async () => {
    stage();
    const { progress, said } = await act("sdn_apply");
    expect(said).toBe("");
    expect(progress).toEqual(["SDN: committing zone theirs (new)", "SDN: in effect"]);
    expect(world().sdn.running.zones).toHaveProperty("theirs");
    expect(world().sdn).not.toHaveProperty("lockToken");
  });

  test("says which nodes have staged changes of interfaces, since the reload puts them into effect, too", async () => {
    const { pve2 } = world().nodes;
    if (pve2) pve2.newInterfaces = structuredClone(pve2.interfaces);
    if (pve2?.newInterfaces) pve2.newInterfaces["vmbr7"] = { type: "bridge", method: "manual", method6: "manual" };
    expect((await act("sdn_apply")).progress).toContain("SDN: with it, staged changes of interfaces on pve2");
  });

  test("reloads the nodes again when nothing is staged", async () => {
    expect((await act("sdn_apply")).progress[0]).toBe("SDN: nothing is staged");
    expect(commits()).toBe(1);
  });

  test("names nodes that are offline, and those whose reload failed though the task says OK", async () => {
    stage();
    bench.simulator.faults.order({ do: "offline", node: "pve3" });
    bench.simulator.faults.order({ do: "fail", task: "srvreload", node: "pve2", text: "ifreload failed" });
    const { said } = await act("sdn_apply");
    expect(said).toContain("Node pve3 is offline");
    expect(said).toMatch(/Node pve2 has not reloaded its network: .*ifreload failed/);
  });

  test("respects a lock, and breaks it where that is configured", async () => {
    stage();
    world().sdn.lockToken = "another-client";
    expect((await act("sdn_apply")).said).toContain("break_lock = true");
    expect(world().sdn.running.zones).not.toHaveProperty("theirs");
    expect((await act("sdn_apply", { break_lock: true })).said).toBe("");
    expect(world().sdn.running.zones).toHaveProperty("theirs");
  });

  test("leaves no lock behind where Proxmox VE refuses the commit", async () => {
    stage();
    bench.simulator.faults.order({ do: "answer", call: "PUT /cluster/sdn", status: 500, reason: "cannot compile" });
    expect((await act("sdn_apply")).said).toContain("cannot compile");
    expect(world().sdn).not.toHaveProperty("lockToken");
  });

  test("an answer that is lost after the commit is no failure", async () => {
    stage();
    bench.simulator.faults.order({ do: "answer", call: "PUT /cluster/sdn", status: 596, after: 1 });
    expect((await act("sdn_apply")).said).toBe("");
    expect(commits()).toBe(1);
  });
});

describe("proxmox_sdn_rollback", () => {
  test("drops what is staged, and says what that is", async () => {
    stage();
    expect(await act("sdn_rollback")).toEqual({
      progress: ["SDN: dropping zone theirs (new)", "SDN: as it runs"],
      said: "",
    });
    expect(world().sdn.zones).not.toHaveProperty("theirs");
    expect(world().sdn).not.toHaveProperty("lockToken");
    expect((await act("sdn_rollback")).progress).toEqual(["SDN: nothing is staged"]);
  });

  test("respects a lock, and breaks it where that is configured", async () => {
    stage();
    world().sdn.lockToken = "another-client";
    expect((await act("sdn_rollback")).said).toContain("break_lock = true");
    expect(world().sdn.zones).toHaveProperty("theirs");
    expect((await act("sdn_rollback", { break_lock: true })).said).toBe("");
    expect(world().sdn.zones).not.toHaveProperty("theirs");
  });

  test("leaves no lock behind where it fails", async () => {
    stage();
    bench.simulator.faults.order({ do: "answer", call: "POST /cluster/sdn/rollback", status: 500, reason: "refused" });
    expect((await act("sdn_rollback")).said).toContain("refused");
    expect(world().sdn).not.toHaveProperty("lockToken");
  });
});

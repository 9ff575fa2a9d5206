import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { ResourceBench } from "../resource-bench.ts";
import { invoke } from "../vm/streams.ts";

let bench: ResourceBench;

beforeAll(async () => {
  bench = await ResourceBench.open({ env: { PROXMOX_VE_TASK_TIMEOUT: "1s" } });
});
beforeEach(async () => {
  bench.simulator.reset();
  bench.simulator.faults.clear();
  await bench.configure();
});
afterAll(() => bench.close());

const pve1 = () => {
  const host = bench.simulator.sim.world.nodes["pve1"];
  if (host === undefined) throw new Error("the seed has no pve1");
  return host;
};
const stage = () => {
  pve1().newInterfaces = {
    ...structuredClone(pve1().interfaces),
    vmbr4: { type: "bridge", bridge_ports: "", method: "manual", families: ["inet"] },
  };
};
const reloads = () => bench.simulator.sim.world.tasks.filter(({ type }) => type === "srvreload").length;
const act = async (verb: "apply" | "revert", node = "pve1") => {
  const { progress, diagnostics } = await invoke(bench.provider, `proxmox_network_${verb}`, { node });
  return { progress, said: diagnostics.map(({ summary, detail }) => `${summary}: ${detail}`).join("\n") };
};

describe("proxmox_network_apply", () => {
  test("reloads what any client has staged, and says what that is", async () => {
    stage();
    expect(await act("apply")).toEqual({ progress: ["pve1: reloading vmbr4 (new)", "pve1: in effect"], said: "" });
    expect(pve1().interfaces).toHaveProperty("vmbr4");
    expect(await act("apply")).toEqual({ progress: ["pve1: nothing is staged"], said: "" });
    expect(reloads()).toBe(1);
  });

  test("reports a reload that failed, and what is left", async () => {
    stage();
    bench.simulator.faults.order({ do: "fail", task: "srvreload", node: "pve1", text: "ifreload failed" });
    expect((await act("apply")).said).toMatch(/Unable to reload the network of pve1: .*ifreload failed/s);
  });

  test("reports a node that is down", async () => {
    stage();
    bench.simulator.faults.order({ do: "offline", node: "pve1", seconds: 100_000, call: "PUT /nodes/{node}/network" });
    expect((await act("apply")).said).toMatch(/pve1/);
  });

  test("an answer that is lost is no failure if the node runs it", async () => {
    stage();
    bench.simulator.faults.order({ do: "answer", call: "PUT /nodes/{node}/network", status: 596, after: 1 });
    expect((await act("apply")).said).toBe("");
    expect(reloads()).toBe(1);
  });

  test("refuses a node that does not exist", async () => {
    expect((await act("apply", "pve9")).said).toContain("pve9");
  });
});

describe("proxmox_network_revert", () => {
  test("drops what is staged, and says what that is", async () => {
    stage();
    expect(await act("revert")).toEqual({ progress: ["pve1: dropping vmbr4 (new)"], said: "" });
    expect(pve1()).not.toHaveProperty("newInterfaces");
    expect(await act("revert")).toEqual({ progress: ["pve1: nothing is staged"], said: "" });
    expect(reloads()).toBe(0);
  });

  test("reports a refusal, and what is staged stays", async () => {
    stage();
    bench.simulator.faults.order({
      do: "answer",
      call: "DELETE /nodes/{node}/network",
      status: 500,
      reason: "refused",
    });
    expect((await act("revert")).said).toContain("refused");
    expect(pve1().newInterfaces).toBeDefined();
  });
});

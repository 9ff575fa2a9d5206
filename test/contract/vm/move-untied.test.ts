import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { attribute } from "../resource-bench.ts";
import { Bench } from "./suite.ts";

let bench: Bench;

beforeAll(async () => {
  bench = await Bench.open({ as: "root@pam" });
  const map = ["pve1", "pve2"].map((node) => `node=${node},id=1234:5678`);
  bench.simulator.sim.world.mappings.usb["key"] = { type: "usb", options: { map } } as never;
});
afterAll(() => bench.close());

const common = { name: "tied", node: "pve1", clone: { template: "ubuntu-24.04-cloud" }, allow_duplicate_name: true };

describe.each(["stopped", "running"])("a %s VM with a device of its node", (power) => {
  test.each([
    ["leaves it", {}, undefined],
    ["gets a mapped one instead", { usb: { usb0: { mapping: "key" } } }, "mapping=key"],
  ])("moves in the same apply in which it %s", async (_, usb, line) => {
    const made = await bench.vm.create({ ...common, power, usb: { usb0: { device: "1234:5678" } } });
    const vmid = Number(attribute(made, "vmid"));
    const isLive = power === "running" && line !== undefined;
    const wanted = { ...common, power: isLive ? "stopped" : power, node: "pve2", ...usb };
    const moved = await bench.vm.update(made, wanted);
    expect(attribute(moved, "node")).toBe("pve2");
    expect(bench.config(vmid)["usb0"]).toBe(line);
    expect(bench.guest(vmid).pending.set).toEqual({});
    await bench.vm.destroy(moved);
  });

  test("does not move with it", async () => {
    const usb = { usb0: { device: "1234:5678" } };
    const made = await bench.vm.create({ ...common, power, usb });
    await bench.configure();
    await expect(bench.vm.plan(made, { ...common, power, usb, node: "pve2" })).rejects.toThrow("belongs to pve1");
    await bench.configure();
    await bench.vm.destroy(made);
  });
});

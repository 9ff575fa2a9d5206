import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Input, type Instance, ProviderErrors } from "../../harness/index.ts";
import { attribute } from "../resource-bench.ts";
import { Bench } from "./suite.ts";

let bench: Bench;

beforeAll(async () => {
  bench = await Bench.open();
});

afterAll(() => bench.close());

const clone = { template: "ubuntu-24.04-cloud" };
const startFails = { do: "fail", task: "qmstart", text: "start failed: QEMU exited with code 1" } as const;

/** Creates a VM that does not start, as Terraform would: the message, and what it keeps in the state. */
async function failToCreate(config: Input): Promise<{ message: string; remains: Instance }> {
  bench.simulator.faults.order(startFails);
  const failure = await bench.vm.create(config).catch((reason: unknown) => reason);
  if (!(failure instanceof ProviderErrors) || !failure.remains) throw new Error("nothing remains");
  await bench.restart();
  return { message: failure.message, remains: await bench.vm.refresh(failure.remains) };
}

describe("a create that fails after the VM exists", () => {
  test("says what exists, what is done, what the next apply does, and how to keep the VM", async () => {
    const config = { name: "half", vmid: 731, clone, disks: { scsi0: { size: "10G" } } };
    const { message, remains } = await failToCreate(config);
    expect(message).toMatch(/QEMU exited with code 1/);
    expect(message).toMatch(/VM 731 exists on pve1 and is in the state, marked as tainted\./);
    expect(message).toMatch(/Done so far: cloned from ubuntu-24\.04-cloud, configured, disks moved and grown/);
    expect(message).toMatch(/The next apply destroys it and makes it anew\..*`terraform untaint ADDRESS`/s);
    await bench.vm.destroy(remains);
  });

  test.each<[string, Record<string, Input>]>([
    ["of its own", { name: "guarded", vmid: 732, clone, protection: true }],
    ["made from nothing", { name: "guarded", vmid: 732, node: "pve1", protection: true }],
    ["that inherits it", { name: "guarded", vmid: 732, clone: { template: "9001" } }],
  ])("leaves a VM without protection, %s, which can be replaced", async (_, config) => {
    bench.guest(9001).config["protection"] = "1";
    await bench.restart();
    const { remains } = await failToCreate(config);
    expect(bench.config(732)["protection"]).toBeUndefined();
    await bench.vm.destroy(remains);
    const made = await bench.vm.create(config);
    expect(bench.config(732)["protection"]).toBe("1");
    await bench.vm.destroy(await bench.vm.update(made, { ...config, protection: false }));
    delete bench.guest(9001).config["protection"];
  });

  test.each<[string, Record<string, Input>]>([
    ["started and protected", { protection: true }],
    ["with its own description", { description: "mine" }],
    ["stopped, where that is wanted", { power: "stopped" }],
  ])("can be kept: the next apply completes it, %s", async (_, more) => {
    const config = { name: "kept", vmid: 733, clone, ...more };
    const { remains } = await failToCreate({ ...config, power: "running" });
    const uuid = attribute(remains, "smbios", "uuid");
    const plan = await bench.vm.plan(remains, config);
    expect(plan.warnings.map(({ summary }) => summary)).toContain("VM is not complete");
    const kept = await bench.vm.update(remains, config);
    expect(attribute(kept, "smbios", "uuid")).toBe(uuid);
    expect(attribute(kept, "status")).toBe("power" in more ? "stopped" : "running");
    expect(bench.config(733)["description"] ?? "").not.toContain("being made");
    expect(bench.config(733)["protection"]).toBe("protection" in more ? "1" : undefined);
    await bench.vm.destroy("protection" in more ? await bench.vm.update(kept, { ...config, protection: false }) : kept);
  });
});

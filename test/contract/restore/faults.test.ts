import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { attribute } from "../resource-bench.ts";
import { Bench } from "./suite.ts";

let bench: Bench;

beforeAll(async () => {
  bench = await Bench.openWith({ env: { PROXMOX_VE_LOCK_WAITS: "50ms,100ms,200ms,400ms" } });
});
beforeEach(async () => {
  bench.simulator.faults.clear();
  bench.simulator.reset();
  await bench.restart();
});
afterAll(() => bench.close());

const kinds = [
  { noun: "VM", type: "qemu", task: "qmrestore", source: 301, resource: () => bench.vm },
  { noun: "container", type: "lxc", task: "vzrestore", source: 401, resource: () => bench.container },
] as const;

const config = (archive: string, more: object = {}) => ({
  name: "copy",
  node: "pve1",
  power: "stopped",
  cpu: { cores: 1 },
  restore: { archive, unique: true },
  ...more,
});
const copies = () => bench.vmids().filter((vmid) => ![301, 401].includes(vmid));
const isComplete = (vmid: number) => {
  expect(bench.config(vmid)).toMatchObject({ cores: "1" });
  expect(bench.config(vmid)["description"] ?? "").not.toContain("being made");
};

describe.each(kinds)("a restored $noun", ({ type, task, source, resource }) => {
  test("is found after the answer to the call was lost, and created once", async () => {
    const archive = await bench.backUp(source);
    bench.simulator.faults.order({ do: "reset", call: `POST /nodes/{node}/${type}`, after: 1 });
    const made = await resource().create(config(archive));
    expect(copies()).toEqual([attribute(made, "vmid")]);
    isComplete(Number(attribute(made, "vmid")));
  });

  test("is restored again after the call was lost on its way", async () => {
    const archive = await bench.backUp(source);
    bench.simulator.faults.order({ do: "answer", call: `POST /nodes/{node}/${type}`, status: 596 });
    await expect(resource().create(config(archive, { vmid: 500 }))).rejects.toThrow();
    expect(copies()).toEqual([]);
    await bench.restart();
    await resource().create(config(archive, { vmid: 500 }));
    isComplete(500);
  });

  test.each([
    ["a VMID of its own", { vmid: 500 }],
    ["any VMID", {}],
  ])("with %s is resumed after the process was killed in the middle", async (_, more) => {
    const archive = await bench.backUp(source);
    bench.simulator.faults.order({ do: "slow", task, seconds: 400 });
    const lost = resource()
      .create(config(archive, more))
      .catch(() => "lost");
    await expect.poll(() => copies().length, { timeout: 10_000 }).toBe(1);
    bench.provider.process.kill("SIGKILL");
    await lost;
    await bench.restart();
    const resumed = await resource().create(config(archive, more));
    expect(copies()).toEqual([attribute(resumed, "vmid")]);
    isComplete(Number(attribute(resumed, "vmid")));
  });

  test("whose settings could not be sent is resumed", async () => {
    const archive = await bench.backUp(source);
    bench.simulator.faults.order({ do: "reset", call: `PUT /nodes/{node}/${type}/{vmid}/config`, times: 20 });
    await expect(resource().create(config(archive))).rejects.toThrow(/restored from nas:backup/);
    bench.simulator.faults.clear();
    await bench.restart();
    const resumed = await resource().create(config(archive));
    expect(copies()).toEqual([attribute(resumed, "vmid")]);
    isComplete(Number(attribute(resumed, "vmid")));
  });

  test("that fails leaves nothing behind, and the next apply restores it", async () => {
    const archive = await bench.backUp(source);
    bench.simulator.faults.order({ do: "fail", task, text: "no space left on device" });
    const failed = resource().create(config(archive, { vmid: 500 }));
    await expect(failed).rejects.toThrow("no space left on device");
    await expect(failed).rejects.toMatchObject({ remains: null });
    expect(copies()).toEqual([]);
    await bench.restart();
    await resource().create(config(archive, { vmid: 500 }));
    isComplete(500);
  });

  test("that fails on a lock is restored again", async () => {
    const archive = await bench.backUp(source);
    const text = "can't lock file '/var/lock/pve-manager/pve-storage-nas' - got timeout";
    bench.simulator.faults.order({ do: "fail", task, text });
    await resource().create(config(archive, { vmid: 500 }));
    expect(copies()).toEqual([500]);
  });

  test("whose backup was removed after the plan is refused, and nothing is created", async () => {
    const archive = await bench.backUp(source);
    const plan = await resource().plan(null, config(archive));
    bench.removeVolume(archive);
    await expect(resource().apply(plan, config(archive))).rejects.toThrow(
      /No such backup[\s\S]*does not exist on pve1/,
    );
    expect(copies()).toEqual([]);
  });
});

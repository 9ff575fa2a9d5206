import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import * as containers from "../container/suite.ts";
import { attribute } from "../resource-bench.ts";

let bench: containers.Bench;

beforeAll(async () => {
  bench = await containers.Bench.openWith({});
  Object.assign(bench.guest(9000).config, { boot: "order=scsi0;net0", serial0: "socket" });
});
afterAll(() => bench.close());
beforeEach(() => bench.configure());

describe.each([
  ["proxmox_vm", { clone: { template: "ubuntu-24.04-cloud" } }],
  ["proxmox_container", { clone: { template: "golden" } }],
] as const)("a device of the source that a %s must not have", (type, source) => {
  const resource = () => bench.resource(type);
  const bare = { ...source, name: "bare", power: "stopped", allow_duplicate_name: true };
  const config = { ...bare, absent_devices: ["net0"] };
  const vmidOf = (made: Parameters<typeof attribute>[0]) => Number(attribute(made, "vmid"));

  test("is removed before the first start, and the plan shows it", async () => {
    const plan = await resource().plan(null, { ...config, power: "running" });
    expect(JSON.stringify(plan.planned)).not.toContain('"net0":');
    const made = await resource().apply(plan, { ...config, power: "running" });
    expect(bench.config(vmidOf(made))).not.toHaveProperty("net0");
    expect(bench.guest(vmidOf(made)).pending.set).toEqual({});
    await resource().expectSettled(await resource().refresh(made), { ...config, power: "running" });
    await resource().destroy(made);
  });

  test("is removed from one that exists, and again when others add it", async () => {
    const made = await resource().create(bare);
    const vmid = vmidOf(made);
    const card = bench.config(vmid)["net0"] ?? "";
    const without = await resource().update(made, config);
    expect(bench.config(vmid)).not.toHaveProperty("net0");
    await resource().expectSettled(without, config);
    bench.guest(vmid).config["net0"] = card;
    await bench.configure();
    const drifted = await resource().refresh(without);
    expect(attribute(drifted, "absent_devices")).toEqual([]);
    const again = await resource().update(drifted, config);
    expect(bench.config(vmid)).not.toHaveProperty("net0");
    // The line gives up the guarantee, and brings nothing back.
    const free = await resource().update(again, bare);
    expect(bench.config(vmid)).not.toHaveProperty("net0");
    await resource().destroy(free);
  });

  test("is not in its map as well", async () => {
    const both = { ...config, networks: { net0: { bridge: "vmbr0" } } };
    await expect(resource().validate(both)).rejects.toThrow(/`net0` is in `networks`, too/);
    await expect(resource().validate({ ...bare, absent_devices: ["scsi0"] })).rejects.toThrow("Must be a slot");
  });
});

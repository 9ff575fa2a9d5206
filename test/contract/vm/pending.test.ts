import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { fromImage, rootfs, seed } from "../container/suite.ts";
import { attribute } from "../resource-bench.ts";
import { askAsOther, Bench, type Input } from "./suite.ts";

let bench: Bench;
let nextVmid = 700;

beforeAll(async () => {
  bench = await Bench.open({ seed });
});

afterAll(() => bench.close());

const kinds = [
  {
    type: "proxmox_vm",
    path: "qemu",
    own: { clone: { template: "ubuntu-24.04-cloud" } },
    left: { sockets: "2" },
    option: "sockets",
    changed: { cpu: { cores: 3 } },
    named: "`cpu.sockets`",
  },
  {
    type: "proxmox_container",
    path: "lxc",
    own: { ...fromImage, mounts: { rootfs } },
    left: { hostname: "other" },
    option: "hostname",
    changed: { hostname: "new" },
    named: "`hostname`",
  },
] as const;

const resource = (type: string) => bench.resource(type as "proxmox_vm");
type Warnings = readonly { summary: string; detail: string }[];
const summaries = (warnings: Warnings) => warnings.map(({ summary }) => summary);

describe.each(kinds)("a change that another user leaves waiting for a restart of a $type", (kind) => {
  const { type, path, own } = kind;
  const given = (more: Record<string, Input> = {}) => {
    const vmid = nextVmid++;
    return { name: `waits-${vmid}`, vmid, ...own, ...more };
  };
  /** As another user would in the web interface. */
  const meddle = async (vmid: number) => {
    const features = { qemu: { memory: "1024" }, lxc: { features: "nesting=1" } }[path];
    expect(await askAsOther(bench, "PUT", `/nodes/pve1/${path}/${vmid}/config`, features)).toBe(true);
    return Object.keys(features);
  };

  test("is in the state after a refresh, and every plan names it", async () => {
    const config = given();
    const made = await resource(type).create(config);
    const waiting = await meddle(config.vmid);
    await bench.restart();
    const read = await resource(type).refresh(made);
    expect(attribute(read, "pending")).toEqual(waiting);
    const plan = await resource(type).plan(read, config);
    expect(plan.action).toBe("no-op");
    expect(summaries(plan.warnings)).toEqual(["Changes wait for a restart"]);
    expect(plan.warnings[0]?.detail).toContain(String(config.vmid));
  });

  test("is put into effect by a restart where that is allowed", async () => {
    const config = given({ restart_policy: "when_needed" });
    const made = await resource(type).create(config);
    await meddle(config.vmid);
    const { pid } = bench.guest(config.vmid).run ?? {};
    await bench.restart();
    const plan = await resource(type).plan(await resource(type).refresh(made), config);
    expect(plan.action).toBe("update");
    expect(summaries(plan.warnings).join()).toMatch(/will be restarted/);
    const applied = await resource(type).apply(plan, config);
    expect(attribute(applied, "pending")).toEqual([]);
    expect(bench.guest(config.vmid).run?.pid).not.toBe(pid);
    expect(bench.guest(config.vmid).pending.set).toEqual({});
    await bench.restart();
    await resource(type).expectSettled(applied, config);
  });

  test("is in effect once another user has restarted it", async () => {
    const config = given();
    const made = await resource(type).create(config);
    await meddle(config.vmid);
    const read = await resource(type).refresh(made);
    for (const call of ["stop", "start"])
      expect(await askAsOther(bench, "POST", `/nodes/pve1/${path}/${config.vmid}/status/${call}`, {})).toBe(true);
    await bench.restart();
    const again = await resource(type).refresh(read);
    expect(attribute(again, "pending")).toEqual([]);
    expect((await resource(type).plan(again, config)).warnings).toEqual([]);
  });
});

test("a restart that fails is planned again until it has happened", async () => {
  const vmid = nextVmid++;
  const common = { name: `stubborn-${vmid}`, vmid, clone: { template: "ubuntu-24.04-cloud" } };
  const made = await bench.vm.create(common);
  const { behaviour } = bench.guest(vmid);
  Object.assign(behaviour, { acpi: false, agent: false });
  const shutdown = { timeout: "20s", force: false };
  const config = { ...common, memory: { size: "1G" }, restart_policy: "when_needed", shutdown };
  const failed = bench.vm.apply(await bench.vm.plan(made, config), config);
  await expect(failed).rejects.toThrow("does not shut down");
  const left = await failed.catch((reason: { remains?: typeof made }) => reason.remains ?? made);
  await bench.restart();
  const read = await bench.vm.refresh(left as typeof made);
  expect(attribute(read, "pending")).toEqual(["memory"]);
  const plan = await bench.vm.plan(read, config);
  expect(plan.action).toBe("update");
  Object.assign(behaviour, { acpi: true });
  const applied = await bench.vm.apply(plan, config);
  expect(attribute(applied, "pending")).toEqual([]);
  expect(bench.guest(vmid).config["memory"]).toBe("1024");
});

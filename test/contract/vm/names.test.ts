import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Input, Instance } from "../../harness/index.ts";
import { attribute } from "../resource-bench.ts";
import { Bench } from "./suite.ts";

let bench: Bench;

beforeAll(async () => {
  bench = await Bench.open({ env: { PROXMOX_VE_TASK_POLL_INTERVAL: "200ms" } });
});
afterAll(() => bench.close());

const clone = { template: "ubuntu-24.04-cloud" };
const named = (name: string, more: object = {}) => ({ name, clone, power: "stopped", ...more });
const made = (name: string, vmid: number) => bench.vm.create(named(name, { vmid }));

/** As Terraform walks: whatever is in the state is read, then planned; all at a time, begun in this order. */
async function planAll(...resources: [Instance | null, Input][]) {
  await bench.restart();
  return Promise.all(
    resources.map(async ([prior, config]) => bench.vm.plan(prior && (await bench.vm.refresh(prior)), config)),
  );
}

/** In a process of its own, as Terraform applies. */
async function applyAll(plans: Awaited<ReturnType<typeof planAll>>, configs: Input[]) {
  await bench.restart();
  return Promise.all(plans.map((plan, index) => bench.vm.apply(plan, configs[index] as Input)));
}

const destroyAll = (instances: Instance[]) => Promise.all(instances.map((one) => bench.vm.destroy(one)));
const nameOf = (vmid: number) => bench.config(vmid)["name"];

describe("a rename", () => {
  test("to a name that exists is refused in the plan", async () => {
    const [first, second] = [await made("r-one", 600), await made("r-two", 601)];
    const renamed = named("r-two", { vmid: 600 });
    await expect(planAll([first, renamed])).rejects.toThrow(/Another VM is named "r-two": VMID 601 on pve1\./);
    await expect(planAll([first, renamed], [second, named("r-two", { vmid: 601 })])).rejects.toThrow(/Name taken/);
    const allowed = named("r-two", { vmid: 600, allow_duplicate_name: true });
    const [plan] = await planAll([first, allowed]);
    expect(plan?.action).toBe("update");
    await expect(planAll([null, named("r-one", { allow_duplicate_name: false })])).rejects.toThrow(/Name taken/);
    await destroyAll([first, second]);
  });

  test("to a name that the same plan frees is none, in whichever order", async () => {
    const [first, second] = [await made("s-one", 602), await made("s-two", 603)];
    const configs = [named("s-two", { vmid: 602 }), named("s-one", { vmid: 603 })];
    const plans = await planAll([first, configs[0] as Input], [second, configs[1] as Input]);
    const swapped = await applyAll(plans, configs);
    expect([nameOf(602), nameOf(603)]).toEqual(["s-two", "s-one"]);
    await destroyAll(swapped);
  });
});

describe("a name inserted at the front of a list", () => {
  test.each([
    ["when the new VM is planned last", (all: unknown[]) => all],
    ["when the new VM is planned first", (all: unknown[]) => all.toReversed()],
  ])("renames every VM to its neighbour's name and creates one, %s", async (_, order) => {
    const [a, b] = [await made("l-a", 610), await made("l-b", 611)];
    const walk = order([
      [a, named("l-new", { vmid: 610 })],
      [b, named("l-a", { vmid: 611 })],
      [null, named("l-b", { vmid: 612 })],
    ]) as [Instance | null, Input][];
    const plans = await planAll(...walk);
    const instances = await applyAll(
      plans,
      walk.map(([, config]) => config),
    );
    expect([nameOf(610), nameOf(611), nameOf(612)]).toEqual(["l-new", "l-a", "l-b"]);
    await destroyAll(instances);
  });
});

test("a name and a VMID that the same run destroys are free", async () => {
  const old = await made("moved", 620);
  await bench.restart();
  const config = named("moved", { vmid: 620 });
  const [, plan] = await Promise.all([
    bench.vm.refresh(old).then((kept) => bench.vm.planDestroy(kept)),
    bench.vm.plan(null, config),
  ]);
  await bench.restart();
  const created = bench.vm.apply(plan, config);
  await bench.vm.destroy(old);
  expect(attribute(await created, "vmid")).toBe(620);
  await bench.vm.destroy(await created);
});

describe("two resources that create", () => {
  test.each<[string, Input, Input, RegExp]>([
    ["a VM of one name", named("twice", { vmid: 625 }), named("twice", { vmid: 626 }), /creates a VM named "twice"/],
    ["one VM", named("twice", { vmid: 625 }), named("thrice", { vmid: 625 }), /VMID 625 is taken.*with VMID 625/s],
  ])("%s are refused in the plan, and without it by the apply", async (_, one, other, message) => {
    await bench.restart();
    const plan = await bench.vm.plan(null, one);
    await expect(bench.vm.plan(null, other)).rejects.toThrow(message);
    const only = await bench.vm.apply(plan, one);
    await bench.configure();
    await expect(bench.vm.create(other)).rejects.toThrow(/ taken/);
    await bench.vm.destroy(only);
  });

  test("VMs of one name where that is allowed are not", async () => {
    await bench.restart();
    const twin = (vmid: number) => named("twin", { vmid, allow_duplicate_name: true });
    expect(await Promise.all([bench.vm.plan(null, twin(627)), bench.vm.plan(null, twin(628))])).toHaveLength(2);
  });
});

test("a replacement says what create_before_destroy would mean", async () => {
  const old = await made("successor", 630);
  await bench.restart();
  const plan = await bench.vm.plan(await bench.vm.refresh(old), named("successor", { vmid: 631 }));
  expect(plan.action).toBe("replace");
  expect(plan.warnings.map(({ detail }) => detail).join()).toContain("`create_before_destroy`");
  await bench.vm.destroy(old);
});

describe("`create_before_destroy` with a fixed name", () => {
  /** As Terraform applies it: the create comes first, and no call says what it replaces. */
  const createFirst = async (old: Instance, config: Input) => {
    await bench.restart();
    const plan = await bench.vm.plan(await bench.vm.refresh(old), config);
    expect(plan.action).toBe("replace");
    await bench.restart();
    return bench.vm.apply({ ...plan, action: "create", prior: null });
  };

  test("is refused with the attribute that allows it, and a warning not to import the old VM", async () => {
    const old = await made("first", 632);
    await expect(createFirst(old, named("first", { vmid: 633 }))).rejects.toThrow(
      /Terraform does not manage it yet.*If this apply replaces it, do not import it: `create_before_destroy`.*`allow_duplicate_name = true`/s,
    );
    const second = await createFirst(old, named("first", { vmid: 633, allow_duplicate_name: true }));
    await destroyAll([old, second]);
  });

  test("and a fixed VMID is refused with the way out", async () => {
    const old = await made("fixed", 634);
    await bench.restart();
    const again = bench.vm.create(named("other", { vmid: 634 }));
    await expect(again).rejects.toThrow(/VMID 634 is taken.*`create_before_destroy`.*leave `vmid` out/s);
    await destroyAll([old]);
  });

  test("or a name that another resource keeps is refused without the advice to import its VM", async () => {
    const kept = await made("kept", 635);
    const config = named("kept", { vmid: 635 });
    const refused = await planAll([kept, config], [null, named("kept", { vmid: 636 })]).catch(String);
    expect(refused).toMatch(/VMID 635 on pve1\. Terraform manages it/);
    expect(refused).not.toContain("import {");
    const taken = await planAll([kept, config], [null, named("free", { vmid: 635 })]).catch(String);
    expect(taken).toMatch(/VMID 635 is taken/);
    expect(taken).not.toContain("import what is there");
    await destroyAll([kept]);
  });
});

describe("a VMID that a stranger has taken", () => {
  test("after the own VM was deleted is refused in the plan, and destroying is no problem", async () => {
    const own = await made("own", 640);
    const config = named("own", { vmid: 640 });
    const { world } = bench.simulator.sim;
    delete world.guests[640];
    world.guests[640] = { ...structuredClone(bench.guest(9000)), vmid: 640, config: { name: "stranger" } };
    Object.assign(world.guests[640]?.config ?? {}, { vmgenid: "11111111-1111-4111-8111-111111111111" });
    Object.assign(world.guests[640]?.config ?? {}, { smbios1: "uuid=11111111-1111-4111-8111-111111111111" });
    await bench.restart();
    expect(await bench.vm.refresh(own).catch(() => null)).toBeNull();
    await expect(bench.vm.plan(null, config)).rejects.toThrow(
      /The VM that was created here is gone, and another one has its VMID\. VM "stranger" on pve1 has it/,
    );
    await bench.restart();
    await bench.vm.destroy(own);
    expect(nameOf(640)).toBe("stranger");
    delete world.guests[640];
  });
});

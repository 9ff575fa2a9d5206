import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Input, Instance } from "../../harness/index.ts";
import { attribute, ResourceBench } from "../resource-bench.ts";

let bench: ResourceBench;

beforeAll(async () => {
  bench = await ResourceBench.open();
});
afterAll(() => bench.close());

const cases = Number(process.env["CASES"] ?? 3);
const seed = Number(process.env["SEED"] ?? 11);

const owner = 900_000_000;
const places = [
  { storage: "local-lvm", node: "pve1" },
  { storage: "ceph" },
  { storage: "nas", format: "qcow2" },
] as const;
const names = ["one", "two", "three"] as const;
const vmids = [101, 102] as const;
type Name = (typeof names)[number];
type Vmid = (typeof vmids)[number];

/** What the configuration says: sizes of the disks, where they are, and which VMs there are. */
interface Wanted {
  readonly sizes: Readonly<Record<Name, number>>;
  readonly slots: Readonly<Partial<Record<Name, { readonly vmid: Vmid; readonly slot: string }>>>;
  readonly vms: Readonly<Partial<Record<Vmid, "running" | "stopped">>>;
}

type Step =
  | { readonly kind: "grow"; readonly name: Name; readonly by: number }
  | { readonly kind: "attach"; readonly name: Name; readonly vmid: Vmid; readonly slot: string }
  | { readonly kind: "detach"; readonly name: Name }
  | { readonly kind: "swap"; readonly name: Name; readonly other: Name }
  | { readonly kind: "vm"; readonly vmid: Vmid; readonly power: "running" | "stopped" | "none" }
  | { readonly kind: "snapshot"; readonly vmid: Vmid };

const oneName = fc.constantFrom(...names);
const oneVmid = fc.constantFrom(...vmids);
const anyStep: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ kind: fc.constant("grow" as const), name: oneName, by: fc.integer({ min: 1, max: 3 }) }),
  fc.record({
    kind: fc.constant("attach" as const),
    name: oneName,
    vmid: oneVmid,
    slot: fc.constantFrom("scsi1", "scsi2", "virtio3", "sata4"),
  }),
  fc.record({ kind: fc.constant("detach" as const), name: oneName }),
  fc.record({ kind: fc.constant("swap" as const), name: oneName, other: oneName }),
  fc.record({
    kind: fc.constant("vm" as const),
    vmid: oneVmid,
    power: fc.constantFrom("running" as const, "stopped" as const, "none" as const),
  }),
  fc.record({ kind: fc.constant("snapshot" as const), vmid: oneVmid }),
);

const start: Wanted = {
  sizes: { one: 1, two: 1, three: 1 },
  slots: {},
  vms: { 101: "stopped", 102: "stopped" },
};

const without = <T extends object>(all: T, key: PropertyKey): T =>
  Object.fromEntries(Object.entries(all).filter(([name]) => name !== String(key))) as T;

/** The configuration after a step; the same if the step does not apply. */
function after(wanted: Wanted, step: Step): Wanted {
  const { sizes, slots, vms } = wanted;
  switch (step.kind) {
    case "grow":
      return { ...wanted, sizes: { ...sizes, [step.name]: sizes[step.name] + step.by } };
    case "attach": {
      const isTaken = Object.values(slots).some((at) => at.vmid === step.vmid && at.slot === step.slot);
      if (isTaken || vms[step.vmid] === undefined) return wanted;
      return { ...wanted, slots: { ...slots, [step.name]: { vmid: step.vmid, slot: step.slot } } };
    }
    case "detach":
      return { ...wanted, slots: without(slots, step.name) };
    case "swap": {
      const [mine, theirs] = [slots[step.name], slots[step.other]];
      if (mine === undefined || theirs === undefined) return wanted;
      return { ...wanted, slots: { ...slots, [step.name]: theirs, [step.other]: mine } };
    }
    case "vm": {
      if (step.power !== "none") return { ...wanted, vms: { ...vms, [step.vmid]: step.power } };
      const kept = Object.entries(slots).filter(([, { vmid }]) => vmid !== step.vmid);
      return { ...wanted, vms: without(vms, step.vmid), slots: Object.fromEntries(kept) };
    }
    case "snapshot":
      return wanted;
  }
}

const place = (name: Name) => places[names.indexOf(name)] ?? places[0];
const diskConfig = (name: Name, { sizes }: Wanted) => ({ ...place(name), name, size: `${sizes[name]}G` });
const volumeOf = (name: Name) => {
  const { storage } = place(name);
  return storage === "nas" ? `nas:${owner}/vm-${owner}-${name}.qcow2` : `${storage}:vm-${owner}-${name}`;
};

function vmConfig(vmid: Vmid, { slots, vms }: Wanted): Record<string, Input> {
  const own = Object.entries(slots).filter(([, at]) => at.vmid === vmid);
  const disks = Object.fromEntries(own.map(([name, { slot }]) => [slot, { volume: volumeOf(name as Name) }]));
  // A VM that may be restarted never waits with a change.
  return {
    name: `vm-${vmid}`,
    vmid,
    node: "pve1",
    power: vms[vmid] ?? "stopped",
    restart_policy: "when_needed",
    disks,
  };
}

const disk = () => bench.resource("proxmox_disk");
const vm = () => bench.resource("proxmox_vm");

/** What Terraform has: all objects of its state. */
interface Held {
  readonly disks: Map<Name, Instance>;
  readonly vms: Map<Vmid, Instance>;
}

async function refresh({ disks, vms }: Held): Promise<void> {
  await bench.configure();
  for (const [name, now] of disks) disks.set(name, await disk().refresh(now));
  for (const [vmid, now] of vms) vms.set(vmid, await vm().refresh(now));
}

/** One run of Terraform, which plans and applies disks before the VMs that refer to them. */
async function apply(held: Held, wanted: Wanted): Promise<void> {
  await refresh(held);
  const { disks, vms } = held;
  const growths = await Promise.all(
    names.map(async (name) => [name, await disk().plan(disks.get(name) ?? null, diskConfig(name, wanted))] as const),
  );
  const leaving = [...vms].filter(([vmid]) => wanted.vms[vmid] === undefined);
  for (const [, now] of leaving) await vm().planDestroy(now);
  const changes = await Promise.all(
    vmids
      .filter((vmid) => wanted.vms[vmid] !== undefined)
      .map(async (vmid) => [vmid, await vm().plan(vms.get(vmid) ?? null, vmConfig(vmid, wanted))] as const),
  );
  for (const [name, plan] of growths) disks.set(name, await disk().apply(plan));
  await Promise.all([
    ...leaving.map(async ([vmid, now]) => {
      await vm().destroy(now);
      vms.delete(vmid);
    }),
    ...changes.map(async ([vmid, plan]) => void vms.set(vmid, await vm().apply(plan))),
  ]);
}

/** Nothing is left to do, and the server has each volume once, where it should be, with its size. */
async function check(held: Held, wanted: Wanted): Promise<void> {
  await refresh(held);
  for (const [name, now] of held.disks) await disk().expectSettled(now, diskConfig(name, wanted));
  for (const [vmid, now] of held.vms) await vm().expectSettled(now, vmConfig(vmid, wanted));
  const { volumes, guests } = bench.simulator.sim.world;
  const found = volumes.filter(({ vmid }) => vmid === owner).map(({ volid, size }) => [volid, size / 2 ** 30]);
  expect(found.sort()).toEqual(names.map((name) => [volumeOf(name), wanted.sizes[name]]).sort());
  const holders = Object.entries(guests).flatMap(([vmid, { config }]) =>
    Object.entries(config)
      .filter(([, line]) => String(line).includes(`vm-${owner}-`))
      .map(([slot, line]) => `${vmid} ${slot} ${String(line).split(",")[0]}`),
  );
  const expected = Object.entries(wanted.slots).map(([name, at]) => `${at.vmid} ${at.slot} ${volumeOf(name as Name)}`);
  expect(holders.sort()).toEqual(expected.sort());
  expect(
    Object.keys(guests)
      .map(Number)
      .filter((vmid) => vmid < 9000),
  ).toEqual(Object.keys(wanted.vms).map(Number));
  for (const [name, now] of held.disks) expect(attribute(now, "slot")).toBe(wanted.slots[name]?.slot ?? null);
}

/** Takes a snapshot as a user of the web interface does. */
async function snapshot(vmid: Vmid): Promise<void> {
  if (bench.simulator.sim.world.guests[vmid] === undefined) return;
  const { url, tokens } = bench.simulator;
  await bench.simulator.fetch(
    new Request(`${url}/api2/json/nodes/pve1/qemu/${vmid}/snapshot`, {
      method: "POST",
      headers: { authorization: `PVEAPIToken=${tokens["root@pam!admin"]}` },
      body: new URLSearchParams({ snapname: "by-hand" }),
    }),
  );
  await new Promise((resolve) => setTimeout(resolve, 100));
}

const counts = { applied: 0, refused: 0 };

/** A step that the plan refuses changes nothing; all others are kept. */
async function take(held: Held, wanted: Wanted, step: Step): Promise<Wanted> {
  if (step.kind === "snapshot") await snapshot(step.vmid);
  const next = after(wanted, step);
  try {
    await apply(held, next);
    counts.applied += 1;
    await check(held, next);
    return next;
  } catch (reason) {
    if (!/snapshot/i.test(String(reason))) throw reason;
    counts.refused += 1;
    await check(held, wanted);
    return wanted;
  }
}

test("disks are grown, attached, swapped, detached and kept, whatever becomes of their VMs", async () => {
  const property = fc.asyncProperty(fc.array(anyStep, { minLength: 4, maxLength: 8 }), async (steps) => {
    bench.simulator.reset();
    const held: Held = { disks: new Map(), vms: new Map() };
    await apply(held, start);
    let wanted = start;
    for (const step of steps) wanted = await take(held, wanted, step);
    // All VMs go at once, with the disks that they have.
    wanted = { ...wanted, slots: {}, vms: {} };
    await apply(held, wanted);
    await check(held, wanted);
    for (const [name, now] of held.disks) {
      const asked = { ...diskConfig(name, wanted), destroy_data: true };
      await disk().destroy(await disk().update(now, asked));
    }
    expect(bench.simulator.sim.world.volumes.filter(({ vmid }) => vmid === owner)).toEqual([]);
  });
  await fc.assert(property, { numRuns: cases, seed, endOnFailure: true });
  if (process.env["CASES"]) process.stderr.write(`${counts.applied} applied, ${counts.refused} refused\n`);
}, 3_600_000);

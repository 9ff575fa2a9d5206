import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { defaultSeed } from "#simulator";
import { type Input, ProviderErrors } from "../../harness/index.ts";
import { attribute, ResourceBench } from "../resource-bench.ts";
import { invoke } from "../vm/streams.ts";

const guests = [
  { vmid: 501, node: "pve1", running: true, config: { name: "up", scsi0: "local-lvm:vm-501-disk-0,size=1G" } },
  { vmid: 502, node: "pve2", config: { name: "down", scsi0: "local-lvm:vm-502-disk-0,size=1G" } },
  { vmid: 503, node: "pve1", config: { name: "raw", scsi0: "nas:503/vm-503-disk-0.raw,size=1G" } },
  { vmid: 504, node: "pve1", config: { name: "golden", template: 1 } },
  { vmid: 505, node: "pve3", type: "lxc", config: { hostname: "ct", rootfs: "local-lvm:vm-505-disk-0,size=1G" } },
  { vmid: 506, node: "pve1", type: "lxc", config: { hostname: "file", rootfs: "nas:506/vm-506-disk-0.raw,size=1G" } },
];

let bench: ResourceBench;

beforeAll(async () => {
  bench = await ResourceBench.open({ seed: { ...defaultSeed(), guests } });
});
beforeEach(async () => {
  bench.simulator.reset();
  await bench.configure();
});
afterAll(() => bench.close());

const snapshot = () => bench.resource("proxmox_snapshot");
const names = (vmid: number) => Object.keys(bench.simulator.sim.world.guests[vmid]?.snapshots ?? {});
const lose = (call: string, after: boolean) =>
  bench.simulator.faults.order({ do: "answer", call, status: 596, ...(after && { after: 1 }) });
const path = (type: string) => `/nodes/{node}/${type}/{vmid}/snapshot`;

test("a snapshot whose lost answer cannot be proved is in the state, and can be removed", async () => {
  lose(`POST ${path("qemu")}`, true);
  bench.simulator.faults.order({ do: "answer", call: "GET /nodes/{node}/tasks", status: 500, times: 0 });
  const failure = await snapshot()
    .create({ vmid: 502, name: "unknown" })
    .catch((reason: unknown) => reason);
  if (!(failure instanceof ProviderErrors) || failure.remains === null) throw new Error(`nothing remains: ${failure}`);
  expect(failure.message).toMatch(/whether snapshot unknown of guest 502 is made, so it is in the state/);
  bench.simulator.faults.clear();
  await bench.configure();
  await snapshot().destroy(await snapshot().refresh(failure.remains));
  expect(names(502)).toEqual([]);
});

test.each([
  ["VM", 501, true],
  ["VM that is stopped", 502, false],
  ["container", 505, false],
])("a snapshot of a %s is taken, described, imported and removed", async (_, vmid, memory) => {
  const config = { vmid, name: "first", ...(memory && { memory }) };
  let now = await snapshot().create(config);
  expect(now.state).toMatchObject({ parent: null, has_memory: memory, description: null });
  expect(attribute(now, "created")).toMatch(/^20\d\d-/);
  now = await snapshot().update(now, { ...config, description: "before the upgrade" });
  expect(bench.simulator.sim.world.guests[vmid]?.snapshots["first"]?.["description"]?.trim()).toBe(
    "before the upgrade",
  );
  const second = await snapshot().create({ vmid, name: "second" });
  expect(second.state).toMatchObject({ parent: "first" });
  const imported = await snapshot().import({ id: `${vmid}/first` });
  expect(imported.state).toEqual({ ...now.state, memory: null });
  now = await snapshot().update(now, config);
  expect(now.state).toMatchObject({ description: null });
  await snapshot().destroy(now);
  expect(names(vmid)).toEqual(["second"]);
  expect(attribute(await snapshot().refresh(second), "parent")).toBeNull();
  await snapshot().destroy(second);
});

test("a snapshot is not gone because its guest is hidden", async () => {
  const made = await snapshot().create({ vmid: 502, name: "first" });
  const removal = await snapshot().planDestroy(made);
  bench.simulator.faults.order({ do: "revoke", privilege: "VM.Audit" });
  await bench.configure();
  const hidden = /Guest 502 cannot be seen.*Grant VM\.Audit/s;
  await expect(snapshot().refresh(made)).rejects.toThrow(hidden);
  await expect(snapshot().destroy(made, removal)).rejects.toThrow(hidden);
  expect(names(502)).toEqual(["first"]);
  bench.simulator.faults.clear();
  await bench.configure();
  await snapshot().destroy(made);
});

describe("what cannot be is refused in the plan", () => {
  test.each<[string, Record<string, Input>, string]>([
    ["no such guest", { vmid: 999, name: "first" }, "Guest `999` does not exist."],
    ["a template", { vmid: 504, name: "first" }, "is a template"],
    ["a storage without snapshots", { vmid: 503, name: "first" }, "Snapshots are not possible"],
    ["a container on such a storage", { vmid: 506, name: "first" }, "Snapshots are not possible"],
    ["memory of a container", { vmid: 505, name: "first", memory: true }, "The memory of a container"],
    ["a name of Proxmox VE", { vmid: 501, name: "current" }, "a name that Proxmox VE uses itself"],
    ["a name with blanks", { vmid: 501, name: "a b" }, "2 to 40 letters"],
  ])("%s", async (_, config, message) => {
    await expect(snapshot().plan(null, config)).rejects.toThrow(message);
  });

  test("one that exists, with its import block, and at apply when it was taken since", async () => {
    const plan = await snapshot().plan(null, { vmid: 502, name: "first" });
    const now = await snapshot().create({ vmid: 502, name: "first" });
    await bench.configure();
    await expect(snapshot().plan(null, { vmid: 502, name: "first" })).rejects.toThrow('id = "502/first"');
    await expect(snapshot().apply(plan)).rejects.toThrow("exists already");
    await bench.configure();
    await snapshot().destroy(now);
  });

  test("a privilege that is missing", async () => {
    const { access } = bench.simulator.sim.world;
    access.roles["Audit"] = ["VM.Audit"] as (typeof access.roles)[string];
    access.acl = access.acl.filter(({ ugid }) => !ugid.startsWith("terraform@pve"));
    for (const [type, ugid] of [
      ["user", "terraform@pve"],
      ["token", "terraform@pve!tf"],
    ] as const) {
      access.acl.push({ path: "/vms", type, ugid, roleid: "Audit", propagate: true });
    }
    await bench.configure("terraform@pve!tf");
    await expect(snapshot().plan(null, { vmid: 502, name: "first" })).rejects.toThrow("VM.Snapshot");
  });
});

test("memory of a VM that does not run is warned of", async () => {
  const { warnings } = await snapshot().plan(null, { vmid: 502, name: "first", memory: true });
  expect(warnings).toMatchObject([{ summary: "No memory to save" }]);
});

test("another name, and memory that is missing, mean another snapshot", async () => {
  const now = await snapshot().create({ vmid: 501, name: "first" });
  const renamed = await snapshot().plan(now, { vmid: 501, name: "other" });
  expect(renamed.action).toBe("replace");
  expect(renamed.warnings[0]?.detail).toContain("cannot be renamed");
  const remembered = await snapshot().plan(now, { vmid: 501, name: "first", memory: true });
  expect(remembered.action).toBe("replace");
  expect(remembered.warnings[0]?.detail).toContain("cannot get or lose the memory");
  expect((await snapshot().plan(now, { vmid: 501, name: "first", memory: false })).action).toBe("update");
  await snapshot().destroy(now);
});

test.each(["qemu", "lxc"])("answers that are lost are looked for (%s)", async (type) => {
  const vmid = type === "qemu" ? 502 : 505;
  lose(`POST ${path(type)}`, false);
  await expect(snapshot().create({ vmid, name: "first" })).rejects.toThrow("The answer was lost");
  lose(`POST ${path(type)}`, true);
  const now = await snapshot().create({ vmid, name: "first" });
  expect(names(vmid)).toEqual(["first"]);
  lose(`DELETE ${path(type)}/{snapname}`, true);
  await snapshot().destroy(now);
  expect(names(vmid)).toEqual([]);
});

test("a task that fails says why, and leaves nothing in the state", async () => {
  bench.simulator.faults.order({ do: "fail", task: "qmsnapshot", text: "lvcreate failed" });
  await expect(snapshot().create({ vmid: 502, name: "first" })).rejects.toThrow("lvcreate failed");
});

test("one that was removed by another client, or with its guest, is found missing", async () => {
  const now = await snapshot().create({ vmid: 502, name: "first" });
  const guest = bench.simulator.sim.world.guests[502];
  if (guest) guest.snapshots = {};
  expect(await snapshot().find(now)).toBeNull();
  await snapshot().destroy(now);
  delete bench.simulator.sim.world.guests[502];
  await bench.configure();
  expect(await snapshot().find(now)).toBeNull();
  await snapshot().destroy(now);
});

describe("proxmox_vm_rollback", () => {
  const roll = (config: Record<string, string | number | boolean>) =>
    invoke(bench.provider, "proxmox_vm_rollback", config);

  test("puts a VM back, and starts it if it is to", async () => {
    const now = await snapshot().create({ vmid: 502, name: "first" });
    const guest = () => bench.simulator.sim.world.guests[502];
    const changed = guest();
    if (changed) changed.config["cores"] = "8";
    const { diagnostics, progress } = await roll({ vmid: 502, name: "first", start: true });
    expect(diagnostics).toEqual([]);
    expect(progress.at(-1)).toBe("VM 502: rolled back to first");
    expect(guest()?.config["cores"]).toBeUndefined();
    await expect.poll(() => guest()?.run !== undefined, { timeout: 10_000 }).toBe(true);
    await snapshot().destroy(now);
  });

  test("names the snapshots there are", async () => {
    const now = await snapshot().create({ vmid: 502, name: "first" });
    const { diagnostics } = await roll({ vmid: 502, name: "frist" });
    expect(diagnostics[0]?.detail).toContain("VM 502 has no snapshot `frist`. It has `first`.");
    await snapshot().destroy(now);
  });
});

test("a snapshot that went with its guest is said to be gone by an apply without a refresh", async () => {
  const resource = bench.resource("proxmox_snapshot");
  const made = await resource.create({ vmid: 501, name: "lost" });
  const plan = await resource.plan(made, { vmid: 501, name: "lost", description: "new" });
  delete bench.simulator.sim.world.guests[501];
  await bench.configure();
  await expect(resource.apply(plan)).rejects.toThrow(/Snapshot is gone[\s\S]*Guest 501 does not exist any more/);
});

describe.each([
  ["VM", 502, "qm"],
  ["container", 505, "pct"],
])("a snapshot of a %s whose worker was killed", (_, vmid, tool) => {
  const left = (lock?: string) => {
    const guest = bench.simulator.sim.world.guests[vmid] ?? expect.fail();
    const [slot = "", line = ""] = Object.entries(guest.config).find(([, text]) => text.startsWith("local-lvm:")) ?? [];
    guest.snapshots["first"] = { snapstate: "prepare", snaptime: "1700000000", [slot]: line };
    if (lock !== undefined) guest.config["lock"] = lock;
    return guest;
  };

  test("is removed and taken again", async () => {
    const guest = left();
    await bench.configure();
    const plan = await snapshot().plan(null, { vmid, name: "first" });
    expect(plan.warnings).toMatchObject([{ summary: "Incomplete snapshot is replaced" }]);
    const made = await snapshot().apply(plan);
    expect(guest.snapshots["first"]).not.toHaveProperty("snapstate");
    await snapshot().destroy(made);
    expect(names(vmid)).toEqual([]);
  });

  test("asks for the guest to be unlocked", async () => {
    left("snapshot");
    await bench.configure();
    const refused = snapshot().plan(null, { vmid, name: "first" });
    await expect(refused).rejects.toThrow(
      new RegExp(`Snapshot is not complete.*lock \`snapshot\`.*${tool} unlock ${vmid}`, "s"),
    );
  });
});

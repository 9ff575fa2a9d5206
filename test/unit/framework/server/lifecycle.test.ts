import { beforeEach, describe, expect, it, vi } from "vitest";
import { Created, Failure } from "#framework";
import { unknown, type Value } from "../../../harness/value.ts";
import { Core, type Held, isError, plain } from "../core.ts";
import { Cloud, cloud, defineResource, machine } from "../machine.ts";

const TYPE = "cloud_machine";
let api: Cloud;
let core: Core;

beforeEach(async () => {
  api = new Cloud();
  core = await Core.start(cloud(api));
});

const config = { name: "web", size: "8G" };
const member = (value: Value, name: string) => (plain(value) as Record<string, unknown>)[name];

describe("creating", () => {
  it("plans computed values as unknown, and configured values as configured", async () => {
    const { state } = await core.plan(TYPE, config);
    expect(plain(state)).toMatchObject({ name: "web", size: "8G", zone: "?", serial: "?", load: "?", tags: null });
  });

  it("stores the result of the read, in the configured spelling", async () => {
    const { state } = await core.reach(TYPE, { ...config, disks: { scsi0: { size: "2048M", on_remove: "delete" } } });
    expect(plain(state)).toMatchObject({
      size: "8G",
      zone: "a",
      serial: "serial-1",
      address: "web.a",
      disks: { scsi0: { size: "2048M", path: "/dev/scsi0", on_remove: "delete" } },
    });
    expect(api.calls).toEqual(["create", "settle", "read"]);
  });

  it("leaves no timer behind, however long its limit is", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    try {
      const held = await core.reach(TYPE, config);
      await core.reach(TYPE, { ...config, size: "9G" }, held);
      expect(vi.getTimerCount()).toBe(0);
    } finally {
      vi.useRealTimers();
    }
  });

  it("treats an empty collection as absent, as the server does", async () => {
    const { state } = await core.reach(TYPE, { ...config, tags: [], order: [], disks: {} });
    expect(plain(state)).toMatchObject({ tags: [], order: [], disks: {} });
  });

  it("treats a key whose value is null as absent, from the configuration to the state", async () => {
    const [one, two] = [{ size: "1G" }, { size: "2G" }];
    const made = await core.reach(TYPE, { ...config, disks: { scsi0: one, scsi1: null } });
    expect(plain(made.state)).toMatchObject({ disks: { scsi0: { size: "1G" }, scsi1: null } });
    expect(api.machines.get("serial-1")?.disks).not.toHaveProperty("scsi1");
    const again = await core.plan(TYPE, { ...config, disks: { scsi0: one, scsi1: null } }, made);
    expect(plain(again.state)).toEqual(plain(made.state));
    const less = await core.plan(TYPE, { ...config, disks: { scsi0: one } }, made);
    expect(plain(less.state), "removing a key that was null is no change").toEqual(plain(made.state));
    const both = await core.reach(TYPE, { ...config, disks: { scsi0: one, scsi1: two } }, made);
    expect(api.machines.get("serial-1")?.disks).toHaveProperty("scsi1");
    const back = await core.reach(TYPE, { ...config, disks: { scsi0: one, scsi1: null } }, both);
    expect(api.machines.get("serial-1")?.disks).not.toHaveProperty("scsi1");
    expect(plain(back.state)).toMatchObject({ disks: { scsi1: null } });
    const none = await core.reach(TYPE, { ...config, disks: { scsi0: null } }, back);
    expect(plain(none.state)).toMatchObject({ disks: { scsi0: null } });
  });

  it("treats an object without values for the server as absent, as the server does", async () => {
    const { state } = await core.reach(TYPE, { ...config, agent: { wait: "2m" } });
    expect(plain(state)).toMatchObject({ agent: { wait: "2m", kind: null } });
    const next = await core.reach(TYPE, { ...config, agent: {} }, await core.reach(TYPE, config));
    expect(plain(next.state)).toMatchObject({ agent: { wait: null, kind: null } });
  });

  it.each([
    ["create", null, false],
    ["settle", "serial-1", true],
    ["read", "serial-1", true],
  ] as const)("leaves no orphan when %s fails", async (step, serial, tainted) => {
    api.fail[step] = new Error("the cloud is full");
    const held = await core.apply(TYPE, await core.plan(TYPE, { ...config, note: "mine" }));
    expect(held.diagnostics).toMatchObject([{ severity: "error", summary: "Bug in the provider" }]);
    expect(held.tainted ?? false).toBe(tainted);
    if (serial) expect(plain(held.state)).toMatchObject({ serial, name: "web", size: "8G", note: "mine", load: null });
    else expect(held.state).toBeNull();
  });

  it.each<[string, Partial<typeof machine>, string]>([
    [
      "fails after it said that the object exists",
      {
        create: ({ created }) => {
          created({ serial: "early" });
          throw new Failure("Half done", "The rest was not.");
        },
      },
      "Half done",
    ],
    [
      "reports an error and still returns the identity",
      {
        create: ({ report }) => {
          report.error(null, "Half done", "The rest was not.");
          return { serial: "early" };
        },
      },
      "Half done",
    ],
    ["creates an object that cannot be found", { create: () => ({ serial: "early" }) }, "Object not found"],
  ])("stores the object although `create` %s", async (_, hooks, summary) => {
    core = await Core.start({ ...cloud(api), resources: { [TYPE]: () => defineResource({ ...machine, ...hooks }) } });
    const held = await core.apply(TYPE, await core.plan(TYPE, config));
    expect(held.diagnostics).toMatchObject([{ summary }]);
    expect(held.tainted).toBe(true);
    expect(plain(held.state)).toMatchObject({ serial: "early", name: "web", load: null });
  });

  it("looks again for an object that is not shown yet", async () => {
    let looks = 0;
    const read: typeof machine.read = async (context) => (++looks === 3 ? machine.read(context) : null);
    core = await Core.start({ ...cloud(api), resources: { [TYPE]: () => defineResource({ ...machine, read }) } });
    const held = await core.apply(TYPE, await core.plan(TYPE, config));
    expect(held.diagnostics).toEqual([]);
    expect(looks).toBe(3);
  });

  it.each(["settle", "read"] as const)("leaves an adopted object out of the state when %s fails", async (step) => {
    const { create, settle: _settle, before: _before, ...rest } = machine;
    const resource = defineResource({
      ...rest,
      create: async (context) => new Created(await create(context), { port: 8006 }, { isAdopted: true }),
      settle: () => api.note("settle"),
    });
    core = await Core.start({ ...cloud(api), resources: { [TYPE]: () => resource } });
    expect(plain((await core.reach(TYPE, config)).state)).toMatchObject({ serial: "serial-1" });
    api.fail[step] = new Error("the cloud is full");
    const held = await core.apply(TYPE, await core.plan(TYPE, config));
    expect(held.diagnostics).toMatchObject([{ severity: "error" }]);
    expect(held.state).toBeNull();
  });

  it("passes what `create` found out on to `settle`, with the identity stored", async () => {
    const passed: unknown[] = [];
    const { create, settle: _settle, before: _before, ...rest } = machine;
    const resource = defineResource({
      ...rest,
      create: async (context) => new Created(await create(context), { port: 8006 }),
      settle: ({ handover, id }: { readonly handover: { port: number }; readonly id: object }) => {
        passed.push(handover, id);
      },
    });
    core = await Core.start({ ...cloud(api), resources: { [TYPE]: () => resource } });
    const { state } = await core.reach(TYPE, config);
    expect(passed).toEqual([{ port: 8006 }, { serial: "serial-1" }]);
    expect(plain(state)).toMatchObject({ serial: "serial-1" });
  });
});

describe("updating", () => {
  let held: Held;
  beforeEach(async () => {
    held = await core.reach(TYPE, { ...config, zone: "a", tags: ["x", "y"], disks: { scsi0: { size: "1G" } } });
    api.calls.length = 0;
  });
  const same = { ...config, zone: "a", tags: ["y", "x"], disks: { scsi0: { size: "1G" } } };

  it("plans nothing when only the order of sets changed", async () => {
    expect((await core.plan(TYPE, same, held)).state).toEqual(held.state);
  });

  it("plans nothing when only the spelling changed", async () => {
    const { state } = await core.plan(TYPE, { ...same, size: "8192M", disks: { scsi0: { size: "1024M" } } }, held);
    expect(state).toEqual(held.state);
  });

  it("plans nothing when a computed attribute is no longer configured", async () => {
    const { zone: _, ...rest } = same;
    expect((await core.plan(TYPE, rest, held)).state).toEqual(held.state);
  });

  it("makes values unknown that may change, and keeps those declared to stay", async () => {
    const { state, replace } = await core.plan(TYPE, { ...same, size: "16G" }, held);
    expect(plain(state)).toMatchObject({ size: "16G", load: "?", address: "web.a", zone: "a", serial: "serial-1" });
    expect(replace).toEqual([]);
  });

  it("makes a kept value unknown when an attribute in `unless` changes", async () => {
    const { state } = await core.plan(TYPE, { ...same, name: "db" }, held);
    expect(plain(state)).toMatchObject({ address: "?" });
  });

  it("keeps computed values of existing elements, and plans unknown ones for new elements", async () => {
    const disks = { scsi0: { size: "2G" }, scsi1: { size: "1G" } };
    const { state } = await core.plan(TYPE, { ...same, disks }, held);
    expect(plain(state)).toMatchObject({ disks: { scsi0: { path: "/dev/scsi0" }, scsi1: { path: "?" } } });
    const next = await core.reach(TYPE, { ...same, disks }, held);
    expect(plain(next.state)).toMatchObject({ disks: { scsi1: { path: "/dev/scsi1" } } });
  });

  it("plans unknown for values that are not known yet", async () => {
    const { state } = await core.plan(TYPE, { ...same, name: unknown, tags: [unknown, "x"] }, held);
    expect(plain(state)).toMatchObject({ name: "?", tags: expect.arrayContaining(["?", "x"]) });
  });

  it("replaces where required, with the reason as a warning", async () => {
    const plan = await core.plan(TYPE, { ...same, zone: "b" }, held);
    expect(plan.replace).toEqual(["zone"]);
    expect(plan.diagnostics).toMatchObject([{ severity: "warning", detail: "machines cannot be moved" }]);
    const next = await core.apply(TYPE, plan);
    expect(plain(next.state)).toMatchObject({ serial: "serial-2", zone: "b" });
    expect(api.calls).toEqual(["delete", "create", "settle", "read"]);
  });

  it("does not replace for a value that is kept", async () => {
    const { zone: _, ...rest } = same;
    expect((await core.plan(TYPE, { ...rest, size: "9G" }, held)).replace).toEqual([]);
  });

  it("stores the object as a failed update left it", async () => {
    api.fail.update = new Error("half done");
    const machine = api.machines.get("serial-1");
    if (machine) machine.name = "half";
    const next = await core.apply(TYPE, await core.plan(TYPE, { ...same, name: "db", note: "new" }, held));
    expect(next.diagnostics.filter(isError)).toHaveLength(1);
    expect(plain(next.state)).toMatchObject({ name: "half", note: null, serial: "serial-1" });
  });

  it("stores the prior state when that cannot be read", async () => {
    api.fail = { update: new Error("half done"), read: new Error("connection lost") };
    const next = await core.apply(TYPE, await core.plan(TYPE, { ...same, name: "db" }, held));
    expect(next.diagnostics).toHaveLength(1);
    expect(next.state).toEqual(held.state);
  });

  it("reports a result that differs from the plan, and stores the result", async () => {
    const plan = await core.plan(TYPE, { ...same, name: "db" }, held);
    Object.defineProperty(api.machines.get("serial-1"), "name", { get: () => "other", set: () => {} });
    const next = await core.apply(TYPE, plan);
    expect(next.diagnostics).toMatchObject([{ summary: "Bug in the provider", path: [{ attribute: "name" }] }]);
    expect(next.diagnostics[0]?.detail).toContain("please report it: cloud_machine, ApplyResourceChange");
    expect(member(next.state, "name")).toBe("other");
  });
});

describe("write-only secrets", () => {
  const secret = { ...config, password: "hunter22", password_version: 1 };

  it("are sent at creation and stored nowhere", async () => {
    const held = await core.reach(TYPE, secret);
    expect(api.machines.get("serial-1")?.password).toBe("hunter22");
    expect(member(held.state, "password")).toBeNull();
  });

  it("are sent again only when their version changes", async () => {
    const held = await core.reach(TYPE, secret);
    const renamed = await core.reach(TYPE, { ...secret, name: "db", password: "changed1" }, held);
    expect(api.machines.get("serial-1")?.password).toBe("hunter22");
    await core.reach(TYPE, { ...secret, name: "db", password: "changed1", password_version: 2 }, renamed);
    expect(api.machines.get("serial-1")?.password).toBe("changed1");
  });

  it("are removed when they are no longer given and the version changes", async () => {
    const held = await core.reach(TYPE, secret);
    await core.reach(TYPE, { ...config, password_version: 2 }, held);
    expect(api.machines.get("serial-1")?.password).toBeNull();
  });

  it("appear in no message, like sensitive ones", async () => {
    api.fail.create = new Error("cannot set hunter22 with s3cr3t-token");
    const held = await core.apply(TYPE, await core.plan(TYPE, { ...secret, token: "s3cr3t-token" }));
    expect(held.diagnostics[0]?.detail).toContain("cannot set (sensitive value) with (sensitive value)");
  });

  it("are refused by a Terraform that would store them", async () => {
    const old = await Core.start(cloud(api), {}, { client: { writeOnlyAttributesAllowed: false } });
    expect(await old.validate(TYPE, secret)).toMatchObject([{ severity: "error", path: [{ attribute: "password" }] }]);
    expect(await old.validate(TYPE, config)).toEqual([]);
  });
});

describe("refreshing", () => {
  it("updates changed values, and keeps the others", async () => {
    const held = await core.reach(TYPE, { ...config, note: "mine" });
    const found = api.machines.get("serial-1");
    if (found) found.name = "renamed";
    expect(plain((await core.refresh(TYPE, held)).state)).toMatchObject({ name: "renamed", size: "8G", note: "mine" });
  });

  it("removes a deleted object", async () => {
    const held = await core.reach(TYPE, config);
    api.machines.clear();
    expect((await core.refresh(TYPE, held)).state).toBeNull();
  });

  it("keeps the state when reading fails", async () => {
    const held = await core.reach(TYPE, config);
    api.fail.read = new Error("connection lost");
    const next = await core.refresh(TYPE, held);
    expect(next.state).toEqual(held.state);
    expect(next.private).toEqual(held.private);
    expect(next.diagnostics).toHaveLength(1);
  });

  it("keeps private state from call to call", async () => {
    let held = await core.reach(TYPE, config);
    held = await core.refresh(TYPE, await core.refresh(TYPE, held));
    expect(JSON.parse(Buffer.from(held.private).toString())).toEqual({ value: { reads: 3 }, before: {} });
  });
});

describe("deleting", () => {
  it("plans and leaves no object", async () => {
    const held = await core.reach(TYPE, config);
    const plan = await core.plan(TYPE, null, held);
    expect(plan.state).toBeNull();
    expect((await core.apply(TYPE, plan)).state).toBeNull();
    expect(api.machines.size).toBe(0);
  });

  it("keeps the object in the state when it fails", async () => {
    const held = await core.reach(TYPE, config);
    api.fail.delete = new Error("protected");
    const next = await core.apply(TYPE, await core.plan(TYPE, null, held));
    expect(next.state).toEqual(held.state);
    expect(next.diagnostics).toHaveLength(1);
  });
});

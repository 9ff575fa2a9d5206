import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { Acl } from "../../../src/simulator/core/access/acl.ts";
import { Caller } from "../../../src/simulator/core/access/caller.ts";
import { guestConfigLock } from "../../../src/simulator/core/kernel/locks.ts";
import type { WorkerBody } from "../../../src/simulator/core/kernel/process.ts";
import type { TaskRecord } from "../../../src/simulator/core/world/tasks.ts";
import { type Simulator, startSimulator } from "../../../src/simulator/simulator.ts";
import { call } from "./client.ts";

let simulator: Simulator;

beforeAll(async () => {
  simulator = await startSimulator({ speed: 100, tidy: true });
});
beforeEach(() => simulator.reset());
afterAll(() => simulator.close());

const order = (fault: object) => call(simulator, "POST", "/simulator/faults", { json: fault });

async function runTask(type: string, body: WorkerBody = () => undefined): Promise<TaskRecord & { seconds: number }> {
  const { sim } = simulator;
  const caller = new Caller("root@pam", new Acl(sim.world.access));
  const started = sim.clock.now();
  const upid = sim.workers.fork({ node: "pve1", caller, type, id: "1", body });
  while (sim.workers.isRunning(upid)) {
    await sim.clock.sleep(0.1);
  }
  const record = sim.world.tasks.find((task) => task.upid === upid) as TaskRecord;
  return { ...record, seconds: sim.clock.since(started) };
}

describe("tasks", () => {
  test("the k-th of a type fails with the text, once", async () => {
    await order({ do: "fail", task: "qmclone", nth: 2, text: "clone failed: no space" });
    const results = [];
    for (const type of ["qmclone", "qmstart", "qmclone", "qmclone"]) {
      results.push((await runTask(type)).exitstatus);
    }
    expect(results).toEqual(["OK", "OK", "clone failed: no space", "OK"]);
  });

  test("fail before their work, or after it if ordered so", async () => {
    const done: string[] = [];
    await order([
      { do: "fail", task: "qmstart", text: "x" },
      { do: "fail", task: "qmstop", text: "x", after: true },
    ]);
    for (const type of ["qmstart", "qmstop"]) {
      expect((await runTask(type, () => void done.push(type))).exitstatus).toBe("x");
    }
    expect(done).toEqual(["qmstop"]);
  });

  test("take longer", async () => {
    await order({ do: "slow", task: "qmstart", seconds: 20 });
    expect((await runTask("qmstart")).seconds).toBeGreaterThan(19.8);
    expect((await runTask("qmstart")).seconds).toBeLessThan(20);
  });
});

describe("a host that cannot start a worker", () => {
  const start = () => call(simulator, "POST", "/nodes/pve1/qemu", { form: { vmid: 300 } });

  test("refuses the call, and its task never begins", async () => {
    await order({ do: "no_worker", task: "qmcreate" });
    const { status, body } = await start();
    expect([status, body.message]).toEqual([500, "got no worker upid - start worker failed\n"]);
    expect(simulator.sim.world.tasks).toEqual([]);
  });

  test("has claimed the VMID of a new VM by then, and leaves it so", async () => {
    await order({ do: "no_worker", task: "qmcreate" });
    await start();
    expect((await call(simulator, "GET", "/nodes/pve1/qemu/300/config")).body.data).toMatchObject({ lock: "create" });
    expect((await start()).body.message).toContain("VM 300 already exists on node 'pve1'");
  });

  test("unlocks a container whose volume it does not move", async () => {
    const { guests } = simulator.sim.world;
    const config: Record<string, string> = { hostname: "ct", rootfs: "local-lvm:vm-400-disk-0,size=1G" };
    guests["400"] = {
      ...structuredClone(guests["9000"] as NonNullable<(typeof guests)[string]>),
      type: "lxc",
      vmid: 400,
      config,
    };
    await order({ do: "no_worker", task: "move_volume" });
    const move = { form: { volume: "rootfs", storage: "ceph" } };
    const { body } = await call(simulator, "POST", "/nodes/pve1/lxc/400/move_volume", move);
    expect(body.message).toBe("got no worker upid - start worker failed\n");
    expect(config).not.toHaveProperty("lock");
  });
});

test("a creation that fails removes the configuration that reserved its VMID", async () => {
  await order({ do: "fail", task: "qmcreate", text: "got lock request timeout" });
  await call(simulator, "POST", "/nodes/pve1/qemu", { form: { vmid: 300 } });
  await expect.poll(() => simulator.sim.world.tasks.at(-1)?.exitstatus).toBe("got lock request timeout");
  expect(simulator.sim.world.guests[300]).toBeUndefined();
});

describe("answers and connections", () => {
  const create = () => call(simulator, "POST", "/access/groups", { form: { groupid: "g1" } });
  const exists = async () => (await call(simulator, "GET", "/access/groups/g1")).status === 200;

  test.each([
    [595, "Connection refused"],
    [596, "Connection timed out"],
    [599, "Too many redirections"],
  ])("%d comes from the proxy, with nothing but a reason", async (status, reason) => {
    await order({ do: "answer", call: "POST /access/groups", status });
    const answer = await create();
    expect([answer.status, answer.reason, answer.text]).toEqual([status, reason, ""]);
    expect(await exists()).toBe(false);
    expect((await create()).status).toBe(200);
  });

  test("a timeout after the work leaves the work done", async () => {
    await order({ do: "answer", call: "POST /access/groups", status: 596, after: true });
    expect((await create()).status).toBe(596);
    expect(await exists()).toBe(true);
  });

  test.each([
    ["before", false],
    ["after", true],
  ])("a reset %s the work", async (moment, done) => {
    await order({ do: "reset", call: "POST /access/groups", after: moment === "after" });
    await expect(create()).rejects.toThrow(/ECONNRESET|socket hang up/);
    expect(await exists()).toBe(done);
  });

  test("any call can be meant, for as long as one likes", async () => {
    await order({ do: "answer", call: "* *", status: 595, times: 0 });
    for (const path of ["/version", "/nodes"]) {
      expect((await call(simulator, "GET", path)).status).toBe(595);
    }
    await call(simulator, "DELETE", "/simulator/faults");
    expect((await call(simulator, "GET", "/version")).status).toBe(200);
  });
});

describe("the cluster", () => {
  test("a node that is down refuses calls meant for it until it is back", async () => {
    await order({ do: "offline", node: "pve2", seconds: 30, reason: "Connection refused" });
    const answer = await call(simulator, "GET", "/nodes/pve2/tasks");
    expect([answer.status, answer.reason, answer.text]).toEqual([595, "Connection refused", ""]);
    expect((await call(simulator, "GET", "/nodes/pve1/tasks")).status).toBe(200);
    await simulator.sim.clock.sleep(31);
    expect((await call(simulator, "GET", "/nodes/pve2/tasks")).status).toBe(200);
  });

  test("a privilege is revoked, for one user and path", async () => {
    const check = async (token: string) =>
      (await call(simulator, "GET", "/access/permissions?path=/vms/100", { token })).body.data as Record<
        string,
        object
      >;
    await order({ do: "revoke", privilege: "VM.Clone", userid: "terraform@pve", path: "/vms" });
    expect((await check("root@pam!admin"))["/vms/100"]).toHaveProperty(["VM.Clone"]);
    expect((await check("terraform@pve!tf"))["/vms/100"]).not.toHaveProperty(["VM.Clone"]);
    const answer = await call(simulator, "POST", "/nodes/pve1/qemu/9000/clone", {
      token: "terraform@pve!tf",
      form: { newid: "900" },
    });
    expect(answer.status).toBe(403);
  });

  test("another operation holds a guest's lock for a while", async () => {
    const lock = guestConfigLock("qemu", 9000);
    await order({ do: "hold_lock", vmid: 9000, seconds: 5 });
    const impatient = await runTask("a", (task) => task.lock(lock, { seconds: 1 }, () => undefined));
    const patient = await runTask("b", (task) => task.lock(lock, { seconds: 10 }, () => undefined));
    expect([impatient.exitstatus, patient.exitstatus]).toEqual([expect.stringContaining("got timeout"), "OK"]);
  });

  test("a guest vanishes with its disks, or moves, behind the caller's back", async () => {
    const { sim } = simulator;
    await order({ do: "move_vm", vmid: 9000, node: "pve3" });
    expect(sim.world.guests[9000]?.node).toBe("pve3");
    await order({ do: "delete_vm", vmid: 9000, call: "GET /version" });
    expect(sim.world.guests[9000]).toBeDefined();
    await call(simulator, "GET", "/version");
    expect(sim.world.guests[9000]).toBeUndefined();
    expect(sim.world.volumes.some(({ vmid }) => vmid === 9000)).toBe(false);
  });

  test("the VMID that was given out is taken by another client", async () => {
    await order({ do: "take_vmid" });
    const next = async () => (await call(simulator, "GET", "/cluster/nextid")).body.data;
    const first = await next();
    expect(simulator.sim.world.guests[Number(first)]).toBeDefined();
    expect(await next()).not.toBe(first);
  });

  test("a storage refuses to delete", async () => {
    await order({ do: "refuse_delete", storage: "local-zfs" });
    const storage = simulator.sim.world.storages["local-zfs"];
    const record = await runTask("imgdel", async (task) => {
      await task.sim.faults.onDelete(task, storage as NonNullable<typeof storage>, "vm-100-disk-0");
    });
    expect(record.exitstatus).toBe("zfs error: cannot destroy 'rpool/data/vm-100-disk-0': dataset is busy");
    expect(record.seconds).toBeGreaterThan(5.9);
  });
});

describe("the list of faults", () => {
  test("shows what was ordered and how often it struck, and forgets one or all", async () => {
    await order([
      { do: "fail", task: "qmclone", text: "x" },
      { do: "slow", task: "qmstart", seconds: 1 },
    ]);
    await runTask("qmclone");
    const list = async () => (await call(simulator, "GET", "/simulator/faults")).body.data as { id: number }[];
    const [first, second] = await list();
    expect([first, second]).toMatchObject([
      { do: "fail", task: "qmclone", matched: 1, struck: 1 },
      { do: "slow", matched: 0, struck: 0 },
    ]);
    await call(simulator, "DELETE", `/simulator/faults?id=${first?.id}`);
    expect(await list()).toEqual([second]);
    await call(simulator, "DELETE", "/simulator/faults");
    expect(await list()).toEqual([]);
  });

  test("a task that no node runs is refused", async () => {
    const answer = await order({ do: "fail", task: "qmclnoe", text: "x" });
    expect([answer.status, answer.body["error"]]).toEqual([
      400,
      expect.stringContaining("fault.task: value 'qmclnoe'"),
    ]);
  });

  test("a fault that is not understood is refused with its place", async () => {
    const answer = await order([
      { do: "slow", task: "qmstart", seconds: 1 },
      { do: "slow", task: "qmstart" },
    ]);
    expect([answer.status, answer.body["error"]]).toEqual([
      400,
      "faults[1].seconds: property is missing and it is not optional",
    ]);
  });
});

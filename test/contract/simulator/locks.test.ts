import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { Acl } from "../../../src/simulator/core/access/acl.ts";
import { Caller } from "../../../src/simulator/core/access/caller.ts";
import {
  clusterFileLock,
  guestConfigLock,
  type Lock,
  migrationLock,
  storageLock,
} from "../../../src/simulator/core/kernel/locks.ts";
import type { Task, WorkerBody } from "../../../src/simulator/core/kernel/process.ts";
import type { TaskRecord } from "../../../src/simulator/core/world/tasks.ts";
import { type Simulator, startSimulator } from "../../../src/simulator/simulator.ts";

let simulator: Simulator;

beforeAll(async () => {
  simulator = await startSimulator({ speed: 100, tidy: true });
});
beforeEach(() => simulator.reset());
afterAll(() => simulator.close());

/** Runs a worker to its end; its record holds the log and the exit status. */
async function work(body: WorkerBody, node = "pve1"): Promise<TaskRecord> {
  const caller = new Caller("root@pam", new Acl(simulator.sim.world.access));
  let over: () => void = () => undefined;
  const ended = new Promise<void>((resolve) => {
    over = resolve;
  });
  const upid = simulator.sim.workers.fork({
    node,
    caller,
    type: "qmtest",
    id: "1",
    body: async (task) => {
      try {
        await body(task);
      } finally {
        setImmediate(over);
      }
    },
  });
  await ended;
  return simulator.sim.world.tasks.find((task) => task.upid === upid) as TaskRecord;
}

/** Holds a lock until it is asked to release it. */
async function hold(lock: Lock, options: { shared?: boolean; node?: string } = {}): Promise<() => void> {
  let letGo: () => void = () => undefined;
  const asked = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  await new Promise<void>((held) => {
    const body = (task: Task) =>
      task.lock(lock, { shared: options.shared ?? false }, async () => {
        held();
        await asked;
      });
    void work(body, options.node);
  });
  return letGo;
}

const config = guestConfigLock("qemu", 100);

describe("a lock that is not had in time", () => {
  test.each<[string, Lock, string]>([
    ["of a VM", config, "can't lock file '/var/lock/qemu-server/lock-100.conf' - got timeout"],
    [
      "of a container",
      guestConfigLock("lxc", 100),
      "can't lock file '/run/lock/lxc/pve-config-100.lock' - got timeout",
    ],
    ["of a migration", migrationLock(100), "can't lock file '/var/lock/pve-manager/pve-migrate-100' - got timeout"],
    [
      "of a local storage",
      storageLock("local-lvm", false),
      "can't lock file '/var/lock/pve-manager/pve-storage-local-lvm' - got timeout",
    ],
    ["of a shared storage", storageLock("ceph", true), "cfs-lock 'storage-ceph' error: got lock request timeout"],
    ["of user.cfg", clusterFileLock("user.cfg"), "cfs-lock 'file-user_cfg' error: got lock request timeout"],
  ])("%s fails with PVE's text", async (_, lock, text) => {
    const letGo = await hold(lock);
    expect((await work((task) => task.lock(lock, { seconds: 1 }, () => undefined))).exitstatus).toBe(text);
    letGo();
  });
});

describe("waiting for a lock", () => {
  test("of a file in a crowd ends well for all, since each has it for a moment only", async () => {
    const lock = clusterFileLock("user.cfg");
    const crowd = Array.from({ length: 40 }, () => work((task) => task.lock(lock, {}, () => undefined)));
    const ends = (await Promise.all(crowd)).map(({ exitstatus }) => exitstatus);
    expect(ends).toEqual(ends.map(() => "OK"));
  });

  test("is in the task's log", async () => {
    const letGo = await hold(config);
    const waiting = work((task) => task.lock(config, {}, () => task.print("at work")));
    setTimeout(letGo, 10);
    expect((await waiting).log).toEqual(["trying to acquire lock...", " OK", "at work", "TASK OK"]);
  });

  test("is not needed by a process that has it already", async () => {
    const record = await work((task) =>
      task.lock(config, {}, () => task.lock(config, { seconds: 0 }, () => undefined)),
    );
    expect(record.exitstatus).toBe("OK");
  });

  test("is not needed by those who share it, and those who want it alone wait for all of them", async () => {
    const letGo = await hold(config, { shared: true });
    const sharing = await work((task) => task.lock(config, { shared: true, seconds: 1 }, () => undefined));
    const alone = await work((task) => task.lock(config, { seconds: 1 }, () => undefined));
    expect([sharing.exitstatus, alone.exitstatus]).toEqual(["OK", expect.stringContaining("got timeout")]);
    letGo();
  });

  test("a file lock belongs to the node, a cluster lock to all nodes", async () => {
    const releases = [await hold(config), await hold(clusterFileLock("user.cfg"))];
    const local = await work((task) => task.lock(config, { seconds: 1 }, () => undefined), "pve2");
    const shared = await work(
      (task) => task.lock(clusterFileLock("user.cfg"), { seconds: 1 }, () => undefined),
      "pve2",
    );
    expect(local.exitstatus).toBe("OK");
    expect(shared.exitstatus).toContain("got lock request timeout");
    for (const letGo of releases) {
      letGo();
    }
  });
});

test("work under a cluster lock is ended after a minute", async () => {
  const record = await work((task) => task.lock(storageLock("ceph", true), {}, () => task.sleep(100)));
  expect(record.exitstatus).toBe("'storage-ceph'-locked command timed out - aborting");
});

test("a lock is free again after a failure inside it", async () => {
  await work((task) =>
    task.lock(config, {}, () => {
      throw new Error("broken");
    }),
  );
  expect((await work((task) => task.lock(config, { seconds: 0 }, () => undefined))).exitstatus).toBe("OK");
});

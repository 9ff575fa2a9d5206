import { describe, expect, it } from "vitest";
import { PveError } from "../../../../src/pve/errors.ts";
import { createCloneLimits } from "../../../../src/pve/guard/clone-limits.ts";
import { withLockRetry } from "../../../../src/pve/guard/lock-retry.ts";
import { createWriteQueue } from "../../../../src/pve/guard/write-queue.ts";
import { silentLogger } from "../../../../src/pve/logger.ts";

const locked = (transient = true) =>
  new PveError("locked", "can't lock file 'lock-120.conf' - got timeout", {
    lock: { name: "lock-120.conf", vmid: 120, transient },
  });

const options = { settings: { attempts: 5, waitsMs: [4, 6, 8, 10] }, logger: silentLogger, what: "configure VM 120" };

describe("a locked object", () => {
  it("is tried at once, then after each wait, and attempts are counted", async () => {
    const times: number[] = [];
    const started = performance.now();
    const result = await withLockRetry(async (attempt) => {
      times.push(performance.now() - started);
      if (attempt < 4) {
        throw locked();
      }
      return attempt;
    }, options);
    expect(result).toBe(4);
    expect(times[0]).toBeLessThan(50);
    const pauses = times.slice(1).map((time, index) => time - (times[index] ?? 0));
    for (const [index, pause] of pauses.entries()) {
      expect(pause).toBeGreaterThanOrEqual((options.settings.waitsMs[index] ?? 0) - 1);
    }
  });

  it("fails after the last attempt, with attempts, waiting time and holder", async () => {
    let attempts = 0;
    const failing = withLockRetry(
      () => {
        attempts += 1;
        return Promise.reject(locked());
      },
      { ...options, findHolder: async ({ vmid }) => `qmshutdown of root@pam on ${vmid}` },
    );
    await expect(failing).rejects.toMatchObject({
      kind: "locked",
      message:
        "can't lock file 'lock-120.conf' - got timeout (5 attempts, 0.028 s waited, held by qmshutdown of root@pam on 120)",
      details: { attempts: 5, waitedMs: 28, lock: { vmid: 120, holder: "qmshutdown of root@pam on 120" } },
    });
    expect(attempts).toBe(5);
  });

  it("repeats the last wait when there are more attempts than waits", async () => {
    const settings = { attempts: 4, waitsMs: [2] };
    await expect(withLockRetry(() => Promise.reject(locked()), { ...options, settings })).rejects.toMatchObject({
      details: { attempts: 4, waitedMs: 6 },
    });
  });

  it.each([
    ["a lock that stays", locked(false)],
    ["another kind of error", new PveError("invalid", "no")],
    ["no answer", new PveError("unreachable", "gone", { mayHaveHappened: true })],
    ["a bug", new TypeError("x is not a function")],
  ])("is not the same as %s, which is passed on at once", async (_, error) => {
    let attempts = 0;
    const failing = withLockRetry(() => {
      attempts += 1;
      return Promise.reject(error);
    }, options);
    await expect(failing).rejects.toBe(error);
    expect(attempts).toBe(1);
  });

  it("is not waited for once the caller has aborted", async () => {
    const controller = new AbortController();
    const settings = { attempts: 5, waitsMs: [60_000] };
    const failing = withLockRetry(
      () => {
        setTimeout(() => controller.abort(new Error("enough")), 5);
        return Promise.reject(locked());
      },
      { ...options, settings, signal: controller.signal },
    );
    await expect(failing).rejects.toThrow("enough");
  });

  it("reports the failure even when the holder cannot be found", async () => {
    const findHolder = () => Promise.reject(new Error("no privileges"));
    await expect(withLockRetry(() => Promise.reject(locked()), { ...options, findHolder })).rejects.toMatchObject({
      kind: "locked",
    });
  });
});

/** Runs work that records how many run together. */
function gauge() {
  let running = 0;
  const state = { most: 0, order: [] as number[] };
  const work = (id: number) => async () => {
    running += 1;
    state.most = Math.max(state.most, running);
    state.order.push(id);
    await new Promise((resolve) => setTimeout(resolve, 2));
    running -= 1;
  };
  return { work, state };
}

describe("writes on a guest", () => {
  it("run one after the other, in order of arrival", async () => {
    const queue = createWriteQueue();
    const { work, state } = gauge();
    await Promise.all([1, 2, 3, 4].map((id) => queue.run(100, work(id))));
    expect(state).toEqual({ most: 1, order: [1, 2, 3, 4] });
  });

  it("do not wait for those on another", async () => {
    const queue = createWriteQueue();
    const { work, state } = gauge();
    await Promise.all([1, 2, 3].map((id) => queue.run(id, work(id))));
    expect(state.most).toBe(3);
  });

  it("are not blocked by a failed one", async () => {
    const queue = createWriteQueue();
    const first = queue.run(100, () => Promise.reject(new Error("no")));
    const second = queue.run(100, async () => "yes");
    await expect(first).rejects.toThrow("no");
    expect(await second).toBe("yes");
  });

  it("leave the queue when their caller aborts", async () => {
    const queue = createWriteQueue();
    const { promise, resolve } = Promise.withResolvers<void>();
    const first = queue.run(100, () => promise);
    const waiting = queue.run(100, async () => expect.fail("it should not run"), AbortSignal.timeout(5));
    await expect(waiting).rejects.toMatchObject({ name: "TimeoutError" });
    resolve();
    await first;
    expect(await queue.run(100, async () => "next")).toBe("next");
  });
});

describe("clones", () => {
  const limits = () => createCloneLimits({ perTemplate: 3, perStorage: 2, stabiliseMs: 0 });
  const load = { template: 9000, isSourceLocked: false, storages: [] as string[] };

  it.each([
    ["of one template are limited", [load, load, load, load, load], 3],
    [
      "onto one storage are limited",
      [9000, 9001, 9002, 9003].map((template) => ({ ...load, template, storages: ["ceph", "ceph"] })),
      2,
    ],
    ["of a running source run one by one", [load, load].map((each) => ({ ...each, isSourceLocked: true })), 1],
    [
      "that share nothing do not wait",
      [9000, 9001, 9002, 9003].map((template) => ({ ...load, template, storages: [`s${template}`] })),
      4,
    ],
  ])("%s", async (_, loads, most) => {
    const { work, state } = gauge();
    const { run } = limits();
    await Promise.all(loads.map((each, id) => run(each, work(id))));
    expect(state.most).toBe(most);
    expect(state.order).toHaveLength(loads.length);
  });

  it("that need two storages in opposite order do not deadlock", async () => {
    const { work, state } = gauge();
    const { run } = createCloneLimits({ perTemplate: 9, perStorage: 1, stabiliseMs: 0 });
    const orders = [
      ["a", "b"],
      ["b", "a"],
      ["a", "b"],
      ["b", "a"],
    ];
    await Promise.all(orders.map((storages, id) => run({ ...load, storages }, work(id))));
    expect(state.order).toHaveLength(4);
  });
});

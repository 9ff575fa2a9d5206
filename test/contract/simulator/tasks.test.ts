import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { Acl } from "../../../src/simulator/core/access/acl.ts";
import { Caller } from "../../../src/simulator/core/access/caller.ts";
import { die, paramError, permissionError } from "../../../src/simulator/core/kernel/failure.ts";
import type { WorkerBody } from "../../../src/simulator/core/kernel/process.ts";
import { type Simulator, startSimulator } from "../../../src/simulator/simulator.ts";
import { call } from "./client.ts";

let simulator: Simulator;

beforeAll(async () => {
  simulator = await startSimulator({ speed: 50, tidy: true });
});
beforeEach(() => simulator.reset());
afterAll(() => simulator.close());

/** Starts a task in a user's name, as a handler would. */
function fork(body: WorkerBody, { id = "100", type = "qmtest", user = "root@pam!admin" } = {}): string {
  const caller = new Caller(user, new Acl(simulator.sim.world.access));
  return simulator.sim.workers.fork({ node: "pve1", caller, type, id, body });
}

const forever: WorkerBody = (task) => task.sleep(1e6);

interface Entry {
  upid: string;
  status: string;
  exitstatus?: string;
  [more: string]: unknown;
}

const statusOf = async (upid: string, token?: string) =>
  await call(
    simulator,
    "GET",
    `/nodes/pve1/tasks/${encodeURIComponent(upid)}/status`,
    token === undefined ? {} : { token },
  );
const logOf = async (upid: string, query = "") =>
  await call(simulator, "GET", `/nodes/pve1/tasks/${encodeURIComponent(upid)}/log${query}`);
const list = async (query: string, token?: string) =>
  (await call(simulator, "GET", `/nodes/pve1/tasks?${query}`, token === undefined ? {} : { token })).body as {
    data: Entry[];
    total?: number;
  };

/** Waits for the end of a task, and for its place in the archive if asked to. */
async function finished(upid: string, archived = false): Promise<Entry> {
  for (;;) {
    const { data } = (await statusOf(upid)).body as { data: Entry };
    const inArchive = !archived || (await list("limit=1000")).data.some((entry) => entry.upid === upid);
    if (data.status === "stopped" && inArchive) {
      return data;
    }
  }
}

describe("how a task ends", () => {
  test.each<[string, WorkerBody, string, string]>([
    ["well", () => undefined, "OK", "TASK OK"],
    ["with a warning", (task) => task.warn("disk left"), "WARNINGS: 1", "TASK WARNINGS: 1"],
    ["with an error", () => die("no space\n"), "no space", "TASK ERROR: no space"],
    ["with an error of many lines", () => die("one\ntwo\nthree"), "one two three", "TASK ERROR: one two three"],
    [
      "for want of rights",
      () => permissionError("/storage/x, Datastore.AllocateSpace"),
      "403 Permission check failed (/storage/x, Datastore.AllocateSpace)",
      "TASK ERROR: 403 Permission check failed (/storage/x, Datastore.AllocateSpace)",
    ],
    [
      "over a parameter",
      () => paramError({ net0: "hotplug problem" }),
      "400 Parameter verification failed. net0: hotplug problem",
      "TASK ERROR: 400 Parameter verification failed. net0: hotplug problem",
    ],
  ])("%s", async (_, body, exitstatus, lastLine) => {
    const upid = fork(body);
    expect(await finished(upid)).toMatchObject({ status: "stopped", exitstatus });
    const { data } = (await logOf(upid, "?limit=0")).body as { data: { n: number; t: string }[] };
    expect(data.at(-1)?.t).toBe(lastLine);
  });

  test("a running one has no exit status, and its owner and the token are separate", async () => {
    const upid = fork(forever);
    const { data } = (await statusOf(upid)).body as { data: Entry };
    expect(data).toMatchObject({ status: "running", user: "root@pam", tokenid: "admin", type: "qmtest", id: "100" });
    expect(data).not.toHaveProperty("exitstatus");
  });
});

test("a task is known only to the node it ran on", async () => {
  const upid = fork(() => undefined);
  await finished(upid);
  const elsewhere = await call(simulator, "GET", `/nodes/pve2/tasks/${encodeURIComponent(upid)}/status`);
  expect(elsewhere.body.errors).toEqual({ upid: "no such task" });
});

describe("logs", () => {
  const lines: WorkerBody = (task) => {
    for (let n = 1; n <= 60; n++) {
      task.print(`line ${n}`);
    }
  };

  test("come in pages of fifty with numbered lines and the total", async () => {
    const upid = fork(lines);
    await finished(upid);
    const page = (await logOf(upid)).body as { data: { n: number; t: string }[]; total: number };
    expect([page.data.length, page.data[0], page.total]).toEqual([50, { n: 1, t: "line 1" }, 61]);
    const rest = (await logOf(upid, "?start=58&limit=5")).body as { data: { n: number }[] };
    expect(rest.data.map(({ n }) => n)).toEqual([59, 60, 61]);
    expect((await logOf(upid, "?limit=0")).body["data"]).toHaveLength(61);
    expect((await logOf(upid, "?start=1000")).body).toEqual({ data: [], total: 61 });
  });

  test("that are empty or missing are one line that says so", async () => {
    expect((await logOf(fork(forever))).body).toEqual({ data: [{ n: 1, t: "no content" }], total: 1 });
    const unknown = "UPID:pve1:0000FFFF:00000001:6AFA0000:qmtest:1:root@pam:";
    expect((await logOf(unknown)).body["data"]).toEqual([
      { n: 1, t: "unable to open file - No such file or directory" },
    ]);
  });

  test("can be downloaded as they are", async () => {
    const upid = fork((task) => task.print("hello"));
    await finished(upid);
    const answer = await logOf(upid, "?download=1");
    expect(answer.text).toBe("hello\nTASK OK\n");
    expect(answer.headers["content-disposition"]).toMatch(/^attachment; filename="task-pve1-qmtest-/);
  });
});

describe("task lists", () => {
  test("have finished tasks unless asked for others", async () => {
    const done = fork(() => undefined);
    await finished(done, true);
    const running = fork(forever);
    const upids = async (source: string) => (await list(`source=${source}`)).data.map(({ upid }) => upid);
    expect((await list("")).data.map(({ upid }) => upid)).toEqual([done]);
    expect(await upids("active")).toEqual([running]);
    expect(await upids("all")).toEqual([running, done]);
  });

  test("write running tasks another way than finished ones", async () => {
    await finished(
      fork(() => undefined),
      true,
    );
    fork(forever);
    const [running, done] = (await list("source=all")).data;
    expect(running).toMatchObject({ status: "RUNNING", user: "root@pam!admin", saved: "0" });
    expect(running).not.toHaveProperty("endtime");
    expect(done).toMatchObject({ status: "OK", user: "root@pam", tokenid: "admin", endtime: expect.any(Number) });
    expect(done).not.toHaveProperty("saved");
  });

  test.each<[string, string, string[]]>([
    ["type", "typefilter=qmstart", ["start"]],
    ["guest", "vmid=200", ["start", "failed"]],
    ["user, in part and in any case", "userfilter=TERRA", ["user"]],
    ["errors", "errors=1", ["warned", "failed"]],
    ["status", "statusfilter=ok,warning", ["start", "user", "warned"]],
    ["page, which the total does not count", "limit=1&start=1", ["warned"]],
  ])("can be filtered by %s", async (_, query, expected) => {
    const ids: Record<string, string> = {
      start: fork(() => undefined, { type: "qmstart", id: "200" }),
      user: fork(() => undefined, { user: "terraform@pve!tf" }),
      warned: fork((task) => task.warn("x")),
      failed: fork(() => die("x"), { id: "200" }),
    };
    for (const upid of Object.values(ids)) {
      await finished(upid, true);
    }
    const { data, total } = await list(query);
    const names = data.map(({ upid }) => Object.keys(ids).find((name) => ids[name] === upid));
    if (query.startsWith("limit")) {
      expect([data.length, total]).toEqual([1, 4]);
    } else {
      expect(names.sort()).toEqual([...expected].sort());
    }
  });

  test("show others' tasks only to auditors, and a token only its own", async () => {
    await finished(
      fork(() => undefined),
      true,
    );
    const own = fork(() => undefined, { user: "noacl@pve!tf" });
    await finished(own, true);
    expect((await list("", "noacl@pve!tf")).data.map(({ upid }) => upid)).toEqual([own]);
    expect((await list("", "terraform@pve!tf")).data).toHaveLength(2);
  });

  test("of the cluster are empty for a token without Sys.Audit, even of its own tasks", async () => {
    await finished(
      fork(() => undefined, { user: "noacl@pve!tf" }),
      true,
    );
    expect((await call(simulator, "GET", "/cluster/tasks", { token: "noacl@pve!tf" })).body.data).toEqual([]);
    expect((await call(simulator, "GET", "/cluster/tasks")).body.data).toMatchObject([{ saved: "1", status: "OK" }]);
  });

  test("can be made to lag behind the status", async () => {
    simulator.faults.order({ do: "task_list_lag", seconds: 1e6 });
    const upid = fork(() => undefined);
    await finished(upid);
    expect((await list("source=all")).data).toEqual([]);
    simulator.faults.clear();
    await finished(upid, true);
  });
});

describe("stopping a task", () => {
  const stop = (upid: string, token?: string) =>
    call(simulator, "DELETE", `/nodes/pve1/tasks/${encodeURIComponent(upid)}`, token === undefined ? {} : { token });

  test("interrupts it where it waits", async () => {
    const upid = fork(forever);
    expect(await stop(upid)).toMatchObject({ status: 200, body: { data: null } });
    expect(await finished(upid)).toMatchObject({ exitstatus: "received interrupt" });
  });

  test("lets it clean up", async () => {
    const upid = fork(async (task) => {
      await task.sleep(1e6).catch((thrown: Error) => die(`clone failed: ${thrown.message}`));
    });
    await stop(upid);
    expect(await finished(upid)).toMatchObject({ exitstatus: "clone failed: received interrupt" });
  });

  test("lets it wait while it cleans up", async () => {
    const upid = fork(async (task) => {
      await task.sleep(1e6).catch(() => task.sleep(1));
      task.print("cleaned up");
      die("stopped");
    });
    await stop(upid);
    expect(await finished(upid)).toMatchObject({ exitstatus: "stopped" });
  });

  test("kills it after five seconds if it does not listen: no last line, and its locks are free", async () => {
    const lock = { kind: "flock", id: "/var/lock/test" } as const;
    const deaf = fork((task) =>
      task.lock(lock, {}, async () => {
        await task.sleep(4, "uninterruptible"); // where the signal is lost
        await task.sleep(1e6);
      }),
    );
    await stop(deaf);
    expect(await finished(deaf)).toMatchObject({ exitstatus: "unexpected status" });
    const next = fork((task) => task.lock(lock, { seconds: 1 }, () => undefined));
    expect(await finished(next)).toMatchObject({ exitstatus: "OK" });
  });

  test("of a stranger needs Sys.Modify, and looking at it Sys.Audit", async () => {
    const upid = fork(forever);
    expect((await stop(upid, "noacl@pve!tf")).reason).toBe("Permission check failed (/nodes/pve1, Sys.Modify)");
    expect((await statusOf(upid, "noacl@pve!tf")).reason).toBe("Permission check failed (/nodes/pve1, Sys.Audit)");
  });

  test.each([
    ["UPID:nonsense", "unable to parse worker upid"],
    ["UPID:pve1:0000FFFF:00000001:6AFA0000:qmtest:1:root@pam:", "no such task"],
  ])("%s is refused", async (upid, text) => {
    expect((await statusOf(upid)).body.errors).toEqual({ upid: text });
    expect((await stop(upid)).body.errors).toEqual({ upid: text });
  });
});

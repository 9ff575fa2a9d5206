import { AsyncLocalStorage } from "node:async_hooks";
import { describe, expect, it } from "vitest";
import { resolveSettings } from "../../../../src/pve/settings.ts";
import { createTaskWatch } from "../../../../src/pve/watch/task-watch.ts";
import { startLocalClient, token } from "../local-client.ts";
import { type Handler, json, type Reply, refusal } from "../local-server.ts";

const upid = (id: number, type = "qmstart") => `UPID:pve:0000AF97:000AA7E7:6AFA5E2F:${type}:${id}:root@pam!tf:`;
const start = 0x6afa5e2f;

interface Task {
  id: string;
  /** What the list shows: nothing, that it runs, or its end. */
  listed: "hidden" | "running" | string;
  status?: "running" | "unknown" | string;
  log?: string[];
}

/** A node with the tasks that `tasks` holds at the time of the request. */
function node(tasks: Task[]) {
  const seen = { lists: [] as string[], statuses: 0, logs: 0, stopped: [] as string[] };
  const handler: Handler = ({ method, url }) => {
    const path = decodeURIComponent(url).replace("/api2/json/nodes/pve/tasks", "");
    const task = tasks.find(({ id }) => path.includes(id));
    if (method === "DELETE") {
      seen.stopped.push(path.slice(1));
      return json(null);
    }
    if (path.endsWith("/status")) {
      seen.statuses += 1;
      if (task === undefined || task.status === "unknown") {
        return refusal(400, "Parameter verification failed.", { upid: "no such task" });
      }
      const status = task.status ?? task.listed;
      return json(
        status === "running" ? { upid: task.id, status } : { upid: task.id, status: "stopped", exitstatus: status },
      );
    }
    if (path.includes("/log")) {
      seen.logs += 1;
      const query = new URL(url, "https://x").searchParams;
      const all = (task?.log ?? []).map((t, index) => ({ n: index + 1, t }));
      const from = Number(query.get("start"));
      return json(all.slice(from, from + Number(query.get("limit"))), { total: all.length });
    }
    seen.lists.push(path);
    const shown = tasks.filter(({ listed }) => listed !== "hidden");
    const items = shown.map(({ id, listed }) => {
      const common = { upid: id, node: "pve", type: "qmstart", id: "1", user: "root@pam!tf", starttime: start };
      return listed === "running"
        ? { ...common, status: "RUNNING" }
        : { ...common, status: listed, endtime: start + 1 };
    });
    return json(items, { total: items.length });
  };
  return { handler, seen };
}

const settle = (promise: Promise<unknown>) =>
  promise.then(
    (value) => ({ value }),
    (error: unknown) => ({ error }),
  );
const until = async (fact: () => boolean) => {
  while (!fact()) {
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
};

describe("waiting for a task", () => {
  it("ends when the list shows exactly this task's end", async () => {
    const tasks: Task[] = [
      { id: upid(1), listed: "running" },
      { id: upid(1).replace("AF97", "AF98"), listed: "OK" },
    ].reverse();
    const { handler, seen } = node(tasks);
    await using local = await startLocalClient(handler);
    const waiting = local.client.watch.wait(upid(1));
    await until(() => seen.lists.length >= 3);
    (tasks[1] as Task).listed = "OK";
    expect(await waiting).toEqual({ upid: upid(1), warnings: [] });
    expect(seen.lists[0]).toBe(`?source=all&since=${start - 5}&limit=500`);
    expect(seen.statuses).toBe(0);
  });

  it("serves every caller that waits for the same task, also after one of them has given up", async () => {
    const tasks: Task[] = [{ id: upid(1), listed: "running" }];
    const { handler, seen } = node(tasks);
    await using local = await startLocalClient(handler);
    const { watch } = local.client;
    const leaving = new AbortController();
    const gone = settle(watch.wait(upid(1), { signal: leaving.signal, isForeign: true }));
    const waiting = [watch.wait(upid(1)), watch.wait(upid(1), { isForeign: true })];
    await until(() => seen.lists.length >= 2);
    leaving.abort(new Error("enough"));
    expect(await gone).toMatchObject({ error: { name: "WaitAborted", message: "enough", fate: "continues" } });
    (tasks[0] as Task).listed = "OK";
    const result = { upid: upid(1), warnings: [] };
    expect(await Promise.all(waiting)).toEqual([result, result]);
  });

  it("returns the warnings of a task", async () => {
    const log = ["removing", "WARN: Could not remove disk 'zfs:vm-1-disk-0', check manually", "TASK WARNINGS: 1"];
    const { handler } = node([{ id: upid(1), listed: "WARNINGS: 1", log }]);
    await using local = await startLocalClient(handler);
    expect(await local.client.watch.wait(upid(1))).toEqual({ upid: upid(1), warnings: [log[1]] });
  });

  it.each([
    ["its own text", "shrinking disks is not supported", { kind: "task" }],
    [
      "a lock",
      "clone failed: can't lock file '/var/lock/pve-manager/pve-storage-local-lvm' - got timeout",
      { kind: "locked", isTransientLock: true },
    ],
    [
      "a missing privilege",
      "403 Permission check failed (/storage/l, Datastore.AllocateSpace)",
      { kind: "permission", details: { missing: { paths: ["/storage/l"], privileges: ["Datastore.AllocateSpace"] } } },
    ],
    [
      "a taken VMID",
      "close (rename) atomic file '/etc/pve/nodes/pve/qemu-server/400.conf' failed: File exists",
      { kind: "exists" },
    ],
    [
      "residue that no retry can remove",
      "access permissions cleanup for VM 101 failed: cfs-lock 'file-user_cfg' error: got lock request timeout",
      { kind: "locked", isTransientLock: false },
    ],
  ])("fails with %s, and the end of the log", async (_, status, expected) => {
    const log = Array.from({ length: 60 }, (_line, index) => `line ${index + 1}`);
    const { handler } = node([{ id: upid(1), listed: status, log }]);
    await using local = await startLocalClient(handler);
    const { error } = (await settle(local.client.watch.wait(upid(1)))) as { error: unknown };
    expect(error).toMatchObject({ message: status, ...expected });
    expect(error).toMatchObject({ details: { upid: upid(1), log: log.slice(-20) } });
  });

  it("reads the task's own status when the list does not show it", async () => {
    const { handler, seen } = node([{ id: upid(1), listed: "hidden", status: "OK" }]);
    await using local = await startLocalClient(handler);
    await local.client.watch.wait(upid(1));
    expect(seen).toMatchObject({ statuses: 1 });
    expect(seen.lists).toHaveLength(2);
  });

  it("reports a task as lost only after its node has denied it twice", async () => {
    const { handler, seen } = node([{ id: upid(1), listed: "hidden", status: "unknown" }]);
    await using local = await startLocalClient(handler);
    await expect(local.client.watch.wait(upid(1))).rejects.toMatchObject({
      kind: "task",
      message: "the node no longer has the task",
    });
    expect(seen.statuses).toBe(2);
  });

  it("continues while the log grows, and ends without progress", async () => {
    const task: Task = { id: upid(1), listed: "running", log: [] };
    const { handler } = node([task]);
    await using local = await startLocalClient(handler, { taskTimeoutMs: 250 });
    const started = performance.now();
    const growing = setInterval(() => task.log?.push("transferred more"), 20);
    setTimeout(() => clearInterval(growing), 500);
    await expect(local.client.watch.wait(upid(1))).rejects.toMatchObject({
      kind: "timeout",
      message: expect.stringMatching(/^the task has shown no progress for/),
      details: { upid: upid(1) },
    });
    expect(performance.now() - started).toBeGreaterThan(650);
  });

  it("allows a longer silence if the caller sets it", async () => {
    const { handler } = node([{ id: upid(1), listed: "running", log: [] }]);
    await using local = await startLocalClient(handler, { taskTimeoutMs: 100 });
    const started = performance.now();
    await expect(local.client.watch.wait(upid(1), { patienceMs: 400 })).rejects.toMatchObject({ kind: "timeout" });
    expect(performance.now() - started).toBeGreaterThan(390);
  });

  it("survives a list that cannot be read for a while", async () => {
    const { handler } = node([{ id: upid(1), listed: "OK" }]);
    let failures = 4;
    await using local = await startLocalClient((request, response) => {
      failures -= 1;
      return failures >= 0
        ? { status: 595, reason: "Connection refused", headers: { connection: "close" } }
        : handler(request, response);
    });
    await local.client.watch.wait(upid(1));
    expect(local.lines).toContainEqual(expect.objectContaining({ level: "warn", message: "tasks cannot be polled" }));
  });

  it.each<[string, Reply]>([
    ["500", refusal(500, "Insecure dependency in open")],
    ["401", { status: 401, reason: "Authentication failed!", headers: { connection: "close" } }],
    ["429", { status: 429, reason: "Too Many Requests" }],
    ["HTML", { body: "<html>maintenance</html>" }],
    ["half a JSON", { body: '{"data":[{"upid":"UPID' }],
    ["another shape", { body: '{"data":"later"}' }],
  ])("outlasts a list that is answered with %s, for every caller", async (_, reply) => {
    const { handler } = node([
      { id: upid(1), listed: "OK" },
      { id: upid(2), listed: "OK" },
    ]);
    let failures = 2;
    await using local = await startLocalClient((request, response) => {
      const isPoll = request.url.includes("/tasks?");
      return isPoll && --failures >= 0 ? reply : handler(request, response);
    });
    const done = await Promise.all([1, 2].map((id) => local.client.watch.wait(upid(id))));
    expect(done.map(({ warnings }) => warnings)).toEqual([[], []]);
  });

  it("asks for the task itself while the list is refused", async () => {
    const { handler } = node([{ id: upid(1), listed: "running", status: "OK" }]);
    await using local = await startLocalClient((request, response) =>
      request.url.includes("/tasks?") ? refusal(500, "unable to read the index") : handler(request, response),
    );
    expect(await local.client.watch.wait(upid(1))).toMatchObject({ upid: upid(1) });
  });

  it("gives up with the task and the reason when its time is over", async () => {
    await using local = await startLocalClient(() => refusal(500, "broken"), { taskTimeoutMs: 150 });
    await expect(local.client.watch.wait(upid(1))).rejects.toMatchObject({
      kind: "timeout",
      message: expect.stringMatching(/^the task has shown no progress for .* cannot be asked for: broken$/),
      details: { upid: upid(1), mayHaveHappened: true },
    });
  });

  it("is logged at the start, at every tenth poll and at the end", async () => {
    const task: Task = { id: upid(1), listed: "running" };
    const { handler, seen } = node([task]);
    await using local = await startLocalClient(handler, { taskPollMs: 5 });
    const waiting = local.client.watch.wait(upid(1));
    await until(() => seen.lists.length >= 25);
    task.listed = "OK";
    await waiting;
    const about = local.lines.filter(({ fields }) => fields["task"] === upid(1));
    expect(about.map(({ message }) => message)).toEqual([
      "waiting for the task",
      "task is still running",
      "task is still running",
      "task has ended",
    ]);
    expect(about[1]?.fields).toMatchObject({ polls: 10 });
    expect(about[3]?.fields).toMatchObject({ status: "OK", duration_ms: expect.any(Number) });
  });

  it("shows the progress of a long task, by the percentage in its log", async () => {
    const task: Task = { id: upid(1, "qmclone"), listed: "running", log: ["create full clone of drive scsi0"] };
    const { handler, seen } = node([task]);
    // The interval is a fifth of the timeout here, and ten seconds by default.
    await using local = await startLocalClient(handler, { taskTimeoutMs: 500, taskPollMs: 10 });
    const waiting = local.client.watch.wait(upid(1, "qmclone"));
    await until(() => seen.logs >= 1);
    task.log?.push("transferred 1.0 GiB of 8.0 GiB (12.50%)", "transferred 2.0 GiB of 8.0 GiB (25.00%)");
    await until(() => seen.logs >= 2);
    task.log?.push("a line without one");
    await until(() => seen.logs >= 3);
    task.listed = "OK";
    await waiting;
    const progress = local.lines.filter(({ message }) => message === "task is in progress");
    expect(progress.slice(0, 3).map(({ level, fields }) => [level, fields["percent"]])).toEqual([
      ["info", undefined],
      ["info", 25],
      ["info", 25],
    ]);
    expect(progress[1]?.fields).toMatchObject({ task: upid(1, "qmclone"), duration_ms: expect.any(Number) });
  });

  it("costs one list per poll, however many wait", async () => {
    const tasks = Array.from({ length: 50 }, (_, index): Task => ({ id: upid(index + 1), listed: "running" }));
    const { handler, seen } = node(tasks);
    await using local = await startLocalClient(handler, { taskPollMs: 50, taskFirstPollMs: 50 });
    const started = performance.now();
    const waiting = Promise.all(tasks.map(({ id }) => local.client.watch.wait(id)));
    await until(() => seen.lists.length >= 6);
    for (const task of tasks) {
      task.listed = "OK";
    }
    await waiting;
    expect(seen.lists.length).toBeLessThanOrEqual((performance.now() - started) / 50 + 2);
    expect(seen.statuses).toBe(0);
  });
});

describe("aborting the wait for a task", () => {
  it.each([
    ["stops a clone, which PVE undoes", "qmclone", true, "stopped"],
    ["lets a move continue", "qmmove", false, "continues"],
    ["lets a destroy continue", "qmdestroy", false, "continues"],
  ])("%s, and says so", async (_, type, isStopped, fate) => {
    const { handler, seen } = node([{ id: upid(1, type), listed: "running" }]);
    await using local = await startLocalClient(handler);
    const controller = new AbortController();
    const waiting = settle(local.client.watch.wait(upid(1, type), { signal: controller.signal }));
    await until(() => seen.lists.length > 0);
    controller.abort(new Error("interrupted"));
    expect(await waiting).toMatchObject({
      error: {
        name: "WaitAborted",
        message: "interrupted",
        upid: upid(1, type),
        fate,
        cause: new Error("interrupted"),
      },
    });
    expect(seen.stopped).toEqual(isStopped ? [upid(1, type)] : []);
    const polls = seen.lists.length;
    await new Promise((resolve) => setTimeout(resolve, 60));
    expect(seen.lists.length).toBeLessThanOrEqual(polls + 1);
  });

  it("reports that in the context of the caller, though the signal belongs to the whole run", async () => {
    const callers = new AsyncLocalStorage<string>();
    const said: string[] = [];
    const line = (message: string) => void said.push(`${callers.getStore()}: ${message}`);
    const { handler, seen } = node([{ id: upid(1, "qmmove"), listed: "running" }]);
    await using local = await startLocalClient(handler);
    const settings = resolveSettings({ endpoints: [local.server.url.href], apiToken: token, taskFirstPollMs: 5 });
    const watch = createTaskWatch(local.client.tasks, settings.tasks, {
      ...{ error: line, warn: line, info: line, debug: () => {} },
    });
    const controller = new AbortController();
    const waiting = callers.run("VM 1", () => settle(watch.wait(upid(1, "qmmove"), { signal: controller.signal })));
    await until(() => seen.lists.length > 0);
    controller.abort(new Error("interrupted"));
    await waiting;
    expect(said).toEqual(["VM 1: no longer waiting; the task keeps running"]);
  });
});

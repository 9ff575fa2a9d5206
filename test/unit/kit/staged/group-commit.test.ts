import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { GroupCommit, type StagedChange } from "../../../../src/kit/staged/group-commit.ts";

interface Given {
  readonly announced?: readonly string[];
  readonly commit?: (keys: string[]) => Promise<string>;
  readonly prepare?: () => Promise<void>;
  readonly removed?: readonly string[];
  readonly patienceMs?: number;
}

function groupOf(given: Given = {}) {
  const { announced, commit = async () => "done", prepare = async () => {}, removed = [], patienceMs = 60_000 } = given;
  const commits: string[][] = [];
  const releases = { count: 0 };
  const group = new GroupCommit<string>({
    announced: announced ?? null,
    quietMs: 20,
    patienceMs,
    prepare,
    release: async () => void releases.count++,
    isRemoved: (key) => removed.includes(key),
    commit: (changes) => {
      const keys = changes.map(({ key }) => key);
      commits.push(keys);
      return commit(keys);
    },
  });
  return { group, commits, releases };
}

const change = (key: string): StagedChange => ({ key, commitsForeign: false });

async function run(group: GroupCommit<string>, one: StagedChange, ms = 0): Promise<string | null> {
  await group.stage(one, () => sleep(ms));
  return group.settle(one);
}

test("changes that are under way at the same time share a commit", async () => {
  const { group, commits } = groupOf();
  expect(await Promise.all(["a", "b", "c"].map((key, index) => run(group, change(key), index * 10)))).toEqual([
    "done",
    "done",
    "done",
  ]);
  expect(commits).toEqual([["a", "b", "c"]]);
});

test("a change that an announced one follows does not wait, and the last one commits at once", async () => {
  const { group, commits } = groupOf({ announced: ["a", "b"] });
  expect(await run(group, change("a"))).toBeNull();
  expect(commits).toEqual([]);
  expect(await run(group, change("b"))).toBe("done");
  expect(commits).toEqual([["a", "b"]]);
});

test("what begins during a commit belongs to the next one", async () => {
  const begun = Promise.withResolvers<void>();
  const order: string[] = [];
  const commit = async ([key]: string[]) => {
    begun.resolve();
    await sleep(40);
    order.push(`${key} is committed`);
    return "done";
  };
  const { group, commits } = groupOf({ commit });
  const first = run(group, change("a"));
  await begun.promise;
  const second = group.stage(change("b"), async () => void order.push("b is written"));
  await Promise.all([first, second]);
  await group.flush();
  expect(commits).toEqual([["a"], ["b"]]);
  expect(order).toEqual(["a is committed", "b is written", "b is committed"]);
});

test("what needs a commit waits for one that has begun", async () => {
  const begun = Promise.withResolvers<void>();
  let isDone = false;
  const commit = async () => {
    begun.resolve();
    await sleep(20);
    isDone = true;
    return "done";
  };
  const { group } = groupOf({ announced: ["a", "b"], commit });
  expect(await run(group, change("a"))).toBeNull();
  const last = run(group, change("b"));
  await begun.promise;
  expect(group.isOpen).toBe(true);
  await group.flush();
  expect(isDone).toBe(true);
  await last;
});

test("after a failure nothing is expected any more: the others are committed", async () => {
  const { group, commits } = groupOf({ announced: ["a", "b", "c"] });
  expect(await run(group, change("a"))).toBeNull();
  await expect(group.stage(change("b"), () => Promise.reject(new Error("refused")))).rejects.toThrow("refused");
  await group.flush();
  expect(commits).toEqual([["a"]]);
});

test("a change that comes after a failure does not wait for those that do not come", async () => {
  const { group, commits } = groupOf({ announced: ["a", "b", "c", "d"] });
  expect(await run(group, change("a"))).toBeNull();
  await expect(group.stage(change("b"), () => Promise.reject(new Error("refused")))).rejects.toThrow("refused");
  expect(await run(group, change("c"))).toBe("done");
  expect(commits).toEqual([["a", "c"]]);
});

test("everyone who has a part in a commit hears of its failure, and the next commit is another one", async () => {
  let failures = 1;
  const { group } = groupOf({
    commit: async () => {
      if (failures-- > 0) throw new Error("cannot compile");
      return "done";
    },
  });
  const results = await Promise.allSettled(["a", "b"].map((key) => run(group, change(key))));
  expect(results.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  expect(await run(group, change("c"))).toBe("done");
});

test("a preparation that fails stops the changes beside it, and is made again for the next", async () => {
  let failures = 1;
  let written = 0;
  const { group } = groupOf({
    prepare: async () => {
      await sleep(5);
      if (failures-- > 0) throw new Error("foreign");
    },
  });
  const write = async () => void written++;
  const results = await Promise.allSettled(["a", "b"].map((key) => group.stage(change(key), write)));
  expect(results.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  expect(written).toBe(0);
  await group.stage(change("c"), write);
  expect(written).toBe(1);
});

const removal = (key: string, within: readonly string[] | null): StagedChange => ({
  key,
  commitsForeign: false,
  isRemoval: true,
  within,
});

test.each<[string, readonly string[] | null, readonly string[], readonly string[], boolean]>([
  ["waits: no later run would know it", [], ["vnet web", "vnet other"], [], true],
  ["waits, although what it is in changes", ["zone lab"], ["vnet web", "zone lab"], [], true],
  ["returns: what it is in is removed, too", ["zone lab"], ["vnet web", "zone lab"], ["zone lab"], false],
  ["returns: the same object comes again", [], ["vnet web", "vnet web"], [], false],
  ["returns: one commit has to take all", null, ["iface web", "iface other"], [], false],
])("a removal before announced changes %s", async (_, within, announced, removed, isCommitted) => {
  const { group, commits } = groupOf({ announced, removed });
  const key = announced[0] ?? "";
  expect(await run(group, removal(key, within))).toBe(isCommitted ? "done" : null);
  expect(commits).toEqual(isCommitted ? [[key]] : []);
});

test("a preparation that no change follows is released", async () => {
  const { group, releases } = groupOf();
  await expect(group.stage(change("a"), () => Promise.reject(new Error("refused")))).rejects.toThrow("refused");
  await group.flush();
  expect(releases.count).toBe(1);
});

test("announced changes that do not begin are not waited for without end, nor at the end of the process", async () => {
  const patient = groupOf({ announced: ["a", "b"], patienceMs: 30 });
  expect(await run(patient.group, change("a"))).toBeNull();
  await expect.poll(() => patient.commits).toEqual([["a"]]);
  const ending = groupOf({ announced: ["a", "b"] });
  expect(await run(ending.group, change("a"))).toBeNull();
  await ending.group.end();
  expect(ending.commits).toEqual([["a"]]);
});

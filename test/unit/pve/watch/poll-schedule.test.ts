import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { PollSchedule } from "../../../../src/pve/watch/poll-schedule.ts";
import { TaskTimes } from "../../../../src/pve/watch/task-times.ts";

const settings = { firstPollMs: 100, pollMs: 1000, timeoutMs: 300_000 };

interface Job {
  readonly type?: string;
  readonly start: number;
  /** Infinite: it never ends. */
  readonly takes: number;
}

interface Watched {
  readonly type: string;
  readonly addedAt: number;
  readonly end: number;
  lookedAt: number;
}

/** The polls of a node on which these tasks run, and how late the end of each was noticed, in the order of their ends. */
function watch(jobs: readonly Job[], until = Number.POSITIVE_INFINITY) {
  const times = new TaskTimes();
  const schedule = new PollSchedule(settings, times);
  const left = jobs
    .map(({ type = "clone", start, takes }) => ({ type, addedAt: start, end: start + takes, lookedAt: 0 }))
    .sort((a, b) => a.addedAt - b.addedAt);
  let running: Watched[] = [];
  const polls: number[] = [];
  const late: number[] = [];
  for (let now = left[0]?.addedAt ?? 0; left.length + running.length > 0; ) {
    while (left[0] && left[0].addedAt <= now) running.push(left.shift() as Watched);
    const due = running.length === 0 ? Number.POSITIVE_INFINITY : schedule.nextPollAt(now, running);
    now = Math.min(due, left[0]?.addedAt ?? Number.POSITIVE_INFINITY);
    if (now > until) break;
    if (now !== due) continue;
    schedule.polled(now);
    polls.push(now);
    for (const task of running.filter(({ end }) => end <= now)) {
      late.push(now - task.end);
      times.learn(task.type, { lastSeen: task.lookedAt, end: now - task.addedAt });
    }
    running = running.filter(({ end }) => end > now);
    for (const task of running) task.lookedAt = now - task.addedAt;
  }
  return { polls, late };
}

/** Tasks one after the other, each begun 50 ms after the last was noticed: that is what a serial apply does. */
const serial = (durations: readonly number[], type = "clone"): Job[] => {
  let start = 0;
  return durations.map((takes) => {
    const job = { type, start, takes };
    start += takes * 1.2 + 1050;
    return job;
  });
};

const endless = Number.POSITIVE_INFINITY;
const sum = (values: readonly number[]) => values.reduce((all, one) => all + one, 0);

describe("the first task of a type", () => {
  it("is looked at every 100 ms, then less and less often, finally every second", () => {
    const times = watch([{ start: 0, takes: endless }], 20_000).polls.map(Math.round);
    expect(times.slice(0, 9)).toEqual([100, 200, 300, 400, 500, 600, 700, 805, 926]);
    const last = times.slice(-5);
    expect(last.slice(1).map((at, index) => at - (last[index] ?? 0))).toEqual([1000, 1000, 1000, 1000]);
  });

  it("is noticed no later than by a seventh of its duration, 100 ms, or a second", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 60_000 }), (takes) => {
        const [late = 0] = watch([{ start: 0, takes }]).late;
        expect(late).toBeLessThanOrEqual(Math.max(100, Math.min(1000, takes * 0.15)) + 0.001);
      }),
    );
  });

  it("is not looked at at once when it begins after a long pause", () => {
    const { polls } = watch([
      { start: 0, takes: 90 },
      { type: "start", start: 60_000, takes: 50 },
    ]);
    expect(polls).toEqual([100, 60_100]);
  });
});

describe("later tasks of a type", () => {
  it.each([450, 1_000, 12_000])("that also take %i ms cost few polls, and are noticed within 6 %%", (takes) => {
    const { polls, late } = watch(serial(Array.from({ length: 20 }, () => takes)));
    const first = watch(serial([takes])).polls.length;
    const each = (polls.length - first) / 19;
    expect(each).toBeLessThanOrEqual(takes / 1000 + 3.1);
    expect(Math.max(...late.slice(2))).toBeLessThanOrEqual(Math.max(51, takes * 0.06));
  });

  it("that take longer or shorter are noticed in time, too", () => {
    const durations = fc.array(fc.integer({ min: 100, max: 20_000 }), { minLength: 2, maxLength: 12 });
    fc.assert(
      fc.property(durations, (all) => {
        const { late } = watch(serial(all));
        expect(late).toHaveLength(all.length);
        expect(Math.max(...late)).toBeLessThanOrEqual(1000 + 0.025 * Math.max(...all));
      }),
    );
  });

  it("that take much longer are looked at once a second in the end", () => {
    const { polls } = watch([...serial([500]), { start: 10_000, takes: endless }], 60_000);
    const last = polls.slice(-5);
    expect(last.slice(1).map((at, index) => Math.round(at - (last[index] ?? 0)))).toEqual([1000, 1000, 1000, 1000]);
  });
});

describe("a crowd", () => {
  const waves = (count: number, takes: number, atOnce: number): Job[] =>
    Array.from({ length: count }, (_, index) => ({
      start: Math.floor(index / atOnce) * takes * 1.1 + (index % atOnce) * (takes / atOnce / 3),
      takes: takes * (1 + (index % 7) / 50),
    }));

  it("of short tasks is polled often enough to keep waits short", () => {
    const { late } = watch(waves(100, 200, 20));
    expect(sum(late) / late.length).toBeLessThanOrEqual(110);
  });

  it("of long tasks is polled once a second, after the first seconds", () => {
    const { polls } = watch(waves(200, 6_000, 50));
    const later = polls.filter((at) => at > 6_000);
    const seconds = ((later.at(-1) ?? 0) - 6_000) / 1000;
    expect(later.length).toBeLessThanOrEqual(seconds + 5);
  });

  it("is polled at most every 100 ms, whenever its tasks begin", () => {
    const starts = fc.array(fc.nat(20_000), { minLength: 11, maxLength: 200 });
    fc.assert(
      fc.property(starts, fc.integer({ min: 50, max: 5_000 }), (times, takes) => {
        const { polls } = watch(times.map((start) => ({ start, takes })));
        const gaps = polls.slice(1).map((at, index) => at - (polls[index] ?? 0));
        expect(Math.min(...gaps)).toBeGreaterThanOrEqual(49.9);
      }),
    );
  });
});

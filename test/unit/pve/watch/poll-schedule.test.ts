import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { PollSchedule } from "../../../../src/pve/watch/poll-schedule.ts";

const settings = { firstPollMs: 100, pollMs: 1000, timeoutMs: 300_000 };

/** The polls of a schedule up to `until`, if tasks begin at these times and none ends. */
function pollTimes(starts: readonly number[], until: number, waiting = 0): number[] {
  const schedule = new PollSchedule(settings);
  const left = [...starts].sort((a, b) => a - b);
  const polls: number[] = [];
  let count = waiting;
  for (let now = left[0] ?? 0; ; ) {
    while (left[0] !== undefined && left[0] <= now) {
      count += 1;
      schedule.taskAdded(left.shift() ?? 0, count);
    }
    const due = schedule.nextPollAt(now);
    const next = Math.min(due, left[0] ?? Number.POSITIVE_INFINITY);
    if (next > until) {
      return polls;
    }
    now = next;
    if (now === due) {
      schedule.polled(now);
      polls.push(now);
    }
  }
}

describe("the task list is read", () => {
  it("every 100 ms when a task has begun, then less and less often, finally every second", () => {
    const times = pollTimes([0], 20_000).map(Math.round);
    expect(times.slice(0, 9)).toEqual([100, 200, 300, 400, 500, 600, 700, 805, 926]);
    const last = times.slice(-5);
    expect(last.slice(1).map((at, index) => at - (last[index] ?? 0))).toEqual([1000, 1000, 1000, 1000]);
  });

  it("so that no task is noticed later than by a seventh of its duration, 100 ms, or a second", () => {
    const times = pollTimes([0], 60_000);
    for (const [index, at] of times.slice(1).entries()) {
      const before = times[index] ?? 0;
      expect(at - before).toBeLessThanOrEqual(Math.max(100, Math.min(1000, before * 0.15)) + 0.001);
    }
  });

  it("soon after a new task", () => {
    expect(pollTimes([0, 20_000], 20_450).slice(-4)).toEqual([20_100, 20_200, 20_300, 20_400]);
  });

  it("in time for each task, however many start", () => {
    expect(pollTimes([0, 99, 198, 297, 396], 900)).toEqual([100, 298, 496, 596, 696, 796, 896]);
  });

  it("not at once when a task begins after a long pause", () => {
    const schedule = new PollSchedule(settings);
    schedule.polled(0);
    schedule.taskAdded(60_000, 1);
    expect(schedule.nextPollAt(60_000)).toBe(60_100);
  });

  it("once a second in a crowd, and for half a minute after it", () => {
    const schedule = new PollSchedule(settings);
    schedule.taskAdded(0, 11);
    schedule.polled(0);
    schedule.taskAdded(500, 2);
    expect(schedule.nextPollAt(500)).toBe(1000);
    schedule.polled(1000);
    schedule.taskAdded(31_000, 1);
    expect(schedule.nextPollAt(31_000)).toBe(31_100);
  });

  it("at most once a second on average in a crowd, whenever its tasks begin", () => {
    const starts = fc.array(fc.nat(20_000), { minLength: 50, maxLength: 200 });
    fc.assert(
      fc.property(starts, (times) => {
        const polls = pollTimes(times, 30_000, 11);
        const span = (polls.at(-1) ?? 0) - (polls[0] ?? 0);
        expect(polls.length - 1).toBeLessThanOrEqual(span / 1000);
      }),
    );
  });
});

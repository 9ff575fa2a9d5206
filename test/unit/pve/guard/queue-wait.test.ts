import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, expect, test, vi } from "vitest";
import { logQueueWait } from "../../../../src/pve/guard/queue-wait.ts";
import { createWriteQueue } from "../../../../src/pve/guard/write-queue.ts";
import { type LogFields, silentLogger } from "../../../../src/pve/logger.ts";

afterEach(() => void vi.useRealTimers());

function bench() {
  const lines: [string, string, LogFields][] = [];
  const note =
    (level: string) =>
    (message: string, fields: LogFields = {}) =>
      void lines.push([level, message, fields]);
  const logger = { ...silentLogger, debug: note("debug"), info: note("info") };
  const queue = createWriteQueue();
  const write = (what: string, work: () => Promise<void>, signal?: AbortSignal) =>
    logQueueWait(logger, what, (queued) => queue.run(401, queued, signal), work);
  return { lines, write };
}

test("work that was queued logs how long, other work logs nothing", async () => {
  const { lines, write } = bench();
  await Promise.all([write("first", () => sleep(30)), write("second", () => sleep(30))]);
  const fields = { event: "step", step: "queue", outcome: "ok", what: "second", duration_ms: expect.any(Number) };
  expect(lines).toEqual([["debug", "left the queue", fields]]);
  expect(lines[0]?.[2]["duration_ms"]).toBeGreaterThanOrEqual(25);
});

test("a long wait is logged at info, every ten seconds and at its end", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "setInterval", "clearInterval", "performance"] });
  const { lines, write } = bench();
  const work = () => new Promise<void>((resolve) => setTimeout(resolve, 25_000));
  const both = Promise.all([write("first", work), write("second", work)]);
  await vi.advanceTimersByTimeAsync(60_000);
  await both;
  expect(lines.map(([level, message, { what, duration_ms }]) => [level, message, what, duration_ms])).toEqual([
    ["info", "still queued", "second", 10_000],
    ["info", "still queued", "second", 20_000],
    ["info", "left the queue", "second", 25_000],
  ]);
});

test("work that is cancelled in the queue logs nothing more", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "setInterval", "clearInterval", "performance"] });
  const { lines, write } = bench();
  const first = write("first", () => new Promise((resolve) => setTimeout(resolve, 60_000)));
  const controller = new AbortController();
  const second = write("second", async () => {}, controller.signal).catch((reason: Error) => reason.message);
  await vi.advanceTimersByTimeAsync(11_000);
  controller.abort(new Error("interrupted"));
  expect(await second).toBe("interrupted");
  await vi.advanceTimersByTimeAsync(60_000);
  await first;
  expect(lines).toHaveLength(1);
});

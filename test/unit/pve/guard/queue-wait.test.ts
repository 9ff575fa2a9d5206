import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { logQueueWait } from "../../../../src/pve/guard/queue-wait.ts";
import { createWriteQueue } from "../../../../src/pve/guard/write-queue.ts";
import { type LogFields, silentLogger } from "../../../../src/pve/logger.ts";

test("work that was queued logs how long, other work logs nothing", async () => {
  const lines: LogFields[] = [];
  const logger = { ...silentLogger, debug: (_: string, fields: LogFields = {}) => void lines.push(fields) };
  const queue = createWriteQueue();
  const write = (what: string) =>
    queue.run(
      401,
      logQueueWait(logger, what, () => sleep(30)),
    );
  await Promise.all([write("first"), write("second")]);
  expect(lines).toEqual([
    { event: "step", step: "queue", outcome: "ok", what: "second", duration_ms: expect.any(Number) },
  ]);
  expect(lines[0]?.["duration_ms"]).toBeGreaterThanOrEqual(25);
});

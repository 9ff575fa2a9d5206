import { describe, expect, test } from "vitest";
import { traceSink } from "../../../src/log/trace.ts";
import { createLog } from "../../../src/log.ts";

function record() {
  const lines: string[] = [];
  const sink = traceSink({ write: (line) => lines.push(line), version: "1.2.3", run: "7" });
  const log = createLog({ module: "m", level: "error", write: () => {}, sinks: [sink] });
  return { log, lines, events: () => lines.map((line) => JSON.parse(line) as Record<string, unknown>) };
}

const head = { v: 1, run: "7", pid: process.pid, at: expect.any(String), mono: expect.any(Number) };

describe("a trace", () => {
  test("begins with the process", () => {
    expect(record().events()).toEqual([{ ...head, event: "process", version: "1.2.3" }]);
  });

  test("contains the lines that are events, at every level, and no others", () => {
    const { log, events } = record();
    log.debug("API call", {
      label: 'VM "web-1"',
      vmid: 401,
      event: "call",
      method: "GET",
      path: "/nodes/pve1/qemu/401/config",
      template: "/nodes/{node}/qemu/{vmid}/config",
      endpoint: "https://pve1:8006",
      status: 200,
      duration_ms: 5,
    });
    log.error("nothing of note", { vmid: 401 });
    log.debug("task has ended", { event: "task", task: "UPID:1", status: "OK", polls: 3, duration_ms: 9 });
    expect(events().slice(1)).toEqual([
      {
        ...head,
        event: "call",
        ms: 5,
        name: "web-1",
        vmid: 401,
        method: "GET",
        path: "/nodes/{node}/qemu/{vmid}/config",
        status: 200,
      },
      { ...head, event: "task", ms: 9, task: "UPID:1", polls: 3, exit: "OK" },
    ]);
  });

  test("has the time at which something began, although it is logged at the end", () => {
    const { log, events } = record();
    log.info("cloned", { event: "step", step: "clone", duration_ms: 60_000 });
    log.debug("locked, waiting", { event: "lock_wait", wait_ms: 60_000 });
    const [process, step, wait] = events();
    const minute = (Date.parse(String(process?.["at"])) - Date.parse(String(step?.["at"]))) / 60_000;
    expect(minute).toBeCloseTo(1, 2);
    expect((Number(process?.["mono"]) - Number(step?.["mono"])) / 60_000).toBeCloseTo(1, 2);
    expect(wait).toMatchObject({ ms: 60_000 });
    expect(Number(wait?.["mono"])).toBeGreaterThanOrEqual(Number(process?.["mono"]));
  });

  test("is one line per event, without secrets", () => {
    const { log, lines } = record();
    log.hide('a"secret\nword');
    log.warn("x", { event: "step", step: "clone", label: "two\nlines", error: 'a"secret\nword', password: "hunter2" });
    expect(lines).toHaveLength(2);
    expect(lines[1]).toMatch(/^[^\n]+\n$/);
    expect(lines[1]).not.toMatch(/secret|word|hunter2/);
  });
});

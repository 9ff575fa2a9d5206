import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import type { Logger } from "#framework";
import { operation } from "../../../src/kit/operation.ts";
import { step } from "../../../src/kit/step.ts";
import { withContext } from "../../../src/kit/work.ts";

function record() {
  const lines: { level: keyof Logger; message: string; fields: Record<string, unknown> }[] = [];
  const note =
    (level: keyof Logger): Logger["info"] =>
    (message, fields = {}) =>
      void lines.push({ level, message, fields: { ...fields } });
  const log: Logger = { error: note("error"), warn: note("warn"), info: note("info"), debug: note("debug") };
  return { log, lines, messages: () => lines.map(({ level, message }) => `${level} ${message}`) };
}

const about = { resource: "proxmox_vm", label: 'VM "web-1"' };
const web = (log: Logger, key: object = {}) => ({ name: "create", about, log, key });

describe("a step", () => {
  test("logs its begin, its end and its task", async () => {
    const { log, lines } = record();
    const client = withContext(log);
    await step(log, "clone", { vmid: 401, detail: "from 9000" }, async () => {
      await sleep(1);
      client.debug("waiting for the task", { task: "UPID:1" });
    });
    expect(lines).toEqual([
      { level: "info", message: "cloning from 9000", fields: { step: "clone", vmid: 401, event: "begin" } },
      { level: "debug", message: "waiting for the task", fields: { step: "clone", vmid: 401, task: "UPID:1" } },
      {
        level: "info",
        message: "cloned from 9000",
        fields: {
          step: "clone",
          vmid: 401,
          event: "step",
          outcome: "ok",
          duration_ms: expect.any(Number),
          task: "UPID:1",
        },
      },
    ]);
  });

  test("that fails logs the reason, and fails", async () => {
    const { log, lines } = record();
    const failing = step(log, "start", { vmid: 1 }, () => Promise.reject(new Error("no memory")));
    await expect(failing).rejects.toThrow("no memory");
    expect(lines.at(-1)).toMatchObject({
      level: "warn",
      message: "failed: starting",
      fields: { event: "step", outcome: "failed", error: "no memory" },
    });
  });

  test("without a text is logged by its name", async () => {
    const { log, messages } = record();
    await step(log, "polish", {}, async () => {});
    expect(messages()).toEqual(["info polish", "info polish: done"]);
  });
});

describe("an operation", () => {
  test("adds its subject to every line within it, also of a shared client", async () => {
    const { log, lines } = record();
    const client = withContext(log);
    const work = (name: string) =>
      operation({ name: "update", about: { label: name }, log, key: {} }, async () => {
        await sleep(2);
        client.debug("call");
      });
    await Promise.all([work("a"), work("b")]);
    client.debug("outside");
    expect(lines.filter(({ level }) => level === "debug").map(({ fields }) => fields["label"])).toEqual([
      "a",
      "b",
      undefined,
    ]);
  });

  test("over two hooks is one, and lists the steps of both", async () => {
    const { log, lines, messages } = record();
    const key = {};
    await operation({ ...web(log, key), isLast: false }, (inner) => step(inner, "clone", {}, () => sleep(20)));
    await operation(web(log, key), async (inner) => {
      await step(inner, "resize", {}, async () => {});
      await step(inner, "resize", {}, async () => {});
    });
    expect(messages().at(-1)).toBe("info create is complete");
    const fields: Record<string, unknown> = lines.at(-1)?.fields ?? {};
    expect(fields).toMatchObject({ ...about, event: "operation", operation: "create", outcome: "ok" });
    expect(Object.keys(fields["steps"] as object)).toEqual(["clone", "resize"]);
    expect(fields["duration_ms"]).toBeGreaterThanOrEqual(18);
  });

  test("that fails is an error, with its cause", async () => {
    const { log, lines } = record();
    const cause = new Error("VM is locked (backup)");
    const failing = operation(web(log), () => Promise.reject(new Error('VM "web-1"', { cause })));
    await expect(failing).rejects.toThrow();
    expect(lines.at(-1)).toMatchObject({
      level: "error",
      fields: { outcome: "failed", error: "VM is locked (backup)" },
    });
  });

  test("that only reads is not logged at info", async () => {
    const { log, messages } = record();
    await operation({ ...web(log), name: "read" }, async () => {});
    expect(messages()).toEqual(["debug read is complete"]);
  });
});

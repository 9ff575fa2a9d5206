import { describe, expect, test } from "vitest";
import { readableSink } from "../../../src/log/readable.ts";
import { createLog, type Level } from "../../../src/log.ts";

function record({ level = "debug" as Level, isColoured = false } = {}) {
  const lines: string[] = [];
  const now = () => new Date(2026, 0, 2, 3, 4, 5, 6);
  const sink = readableSink({ level, write: (line) => lines.push(line), isColoured, now });
  return { lines, log: createLog({ module: "provider.test", level: "error", write: () => {}, sinks: [sink] }) };
}

const upid = "UPID:pve1:000003F1:000B763F:6AFA9F5C:qmclone:9000:terraform@pve!tf:";
const web = { resource: "proxmox_vm", label: 'VM "web-1"', vmid: 401 };

describe("a readable line", () => {
  test.each<[string, string, object, string]>([
    [
      "of a finished step has the VM, the step, the duration and the task",
      "cloned from 9000",
      { ...web, step: "clone", event: "step", outcome: "ok", duration_ms: 12_140, task: upid },
      `03:04:05.006 INFO  web-1            clone         12.1 s  cloned from 9000  ${upid}`,
    ],
    [
      "of an HTTP call is the call",
      "API call",
      {
        event: "call",
        method: "GET",
        path: "/version",
        template: "/version",
        endpoint: "https://a",
        status: 200,
        duration_ms: 4,
      },
      "03:04:05.006 INFO  -                                4 ms  GET /version: 200",
    ],
    [
      "of an attempt names the operation and the number of attempts",
      "locked, waiting",
      {
        ...web,
        step: "config",
        event: "lock_wait",
        what: "configure VM 401",
        attempt: 1,
        wait_ms: 2_000,
        error: "no x",
      },
      '03:04:05.006 INFO  web-1            config                locked, waiting: configure VM 401 attempt=1 wait=2.0 s error="no x"',
    ],
    [
      "of a whole operation lists its steps",
      "create is complete",
      { ...web, event: "operation", operation: "create", duration_ms: 65_000, steps: { clone: 62_000, start: 400 } },
      "03:04:05.006 INFO  web-1            create     1 min 5 s  create is complete (clone 1 min 2 s, start 400 ms)",
    ],
    [
      "of anything but a VM has the resource's own label",
      "x",
      { label: 'pool "prod"' },
      '03:04:05.006 INFO  pool "prod"                            x',
    ],
  ])("%s", (_, message, fields, expected) => {
    const { lines, log } = record();
    log.info(message, fields);
    expect(lines).toEqual([`${expected}\n`]);
  });

  test("cannot be broken, coloured or moved by names from outside", () => {
    const { lines, log } = record();
    log.info("said \u001b[31mred\r\nERROR web-2", {
      label: 'VM "a\u001b]0;x\u0007\u202e\u200eb"',
      task: "UPID\n",
      step: "a\u061cb",
    });
    expect(lines).toHaveLength(1);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern searches for them
    expect(lines[0]).toMatch(/^[^\u0000-\u001f\u007f-\u009f\p{Cf}]+\n$/u);
  });

  test("grows its first column with the names, up to a limit", () => {
    const { lines, log } = record();
    log.info("x", { label: `VM "${"a".repeat(20)}"` });
    log.info("x", { label: `VM "${"b".repeat(70)}"` });
    log.info("x", web);
    expect(new Set(lines.slice(1).map((line) => line.indexOf(" x\n"))).size).toBe(1);
    expect(lines[1]).toContain(`${"b".repeat(31)}… `);
  });

  test("is coloured on request, with the same text", () => {
    const { lines, log } = record({ isColoured: true });
    log.error("broken", web);
    expect(lines[0]).toContain("\u001b[31mERROR\u001b[0m");
    // biome-ignore lint/suspicious/noControlCharactersInRegex: colours consist of them
    expect(lines[0]?.replace(/\u001b\[\d+m/g, "")).toBe(
      "03:04:05.006 ERROR web-1                                  broken\n",
    );
  });

  test.each<[Level, number]>([
    ["error", 1],
    ["warn", 2],
    ["info", 3],
    ["debug", 4],
  ])("at %s is one of %i kinds, whatever level Terraform gets", (level, count) => {
    const { lines, log } = record({ level });
    for (const each of ["error", "warn", "info", "debug"] as const) log[each]("x");
    expect(lines).toHaveLength(count);
  });

  test("shows no secret in any form", () => {
    const { lines, log } = record();
    const secret = 'top"secret/line\ntwo';
    log.hide(secret);
    log.info(`a ${secret} b ${encodeURIComponent(secret)}`, { label: `VM "${secret}"`, task: secret, error: secret });
    log.info("x", { password: "hunter2", error: "tf@pve!ci=3f6b1f2e-0000" });
    expect(lines.join("")).not.toMatch(/secret|two|hunter2|3f6b1f2e/);
  });
});

describe("lines for Terraform", () => {
  test("have the VM, the time and the task in the message itself", () => {
    const lines: string[] = [];
    const log = createLog({ module: "m", level: "info", write: (line) => lines.push(line) });
    log.info("cloned from 9000", { ...web, step: "clone", event: "step", duration_ms: 12_140, task: upid });
    expect(JSON.parse(lines[0] ?? "")).toMatchObject({
      "@level": "info",
      "@message": `web-1: cloned from 9000 in 12.1 s (${upid})`,
      "@module": "m",
      vmid: 401,
      step: "clone",
      duration_ms: 12_140,
    });
    expect(lines[0]).not.toContain('"event"');
  });
});

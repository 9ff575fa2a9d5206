import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { openFile, openTerminal } from "../../../src/log/destinations.ts";
import { logSettingProblems } from "../../../src/log/setting-problems.ts";

const folder = mkdtempSync(join(tmpdir(), "log-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const file = (name: string) => join(folder, name);

describe("a file for lines", () => {
  test("is readable by its owner only, and appended to", () => {
    openFile(file("new"))("one\n");
    openFile(file("new"))("two\n");
    expect(readFileSync(file("new"), "utf8")).toBe("one\ntwo\n");
    expect(statSync(file("new")).mode & 0o777).toBe(0o600);
  });

  test("that ends in the middle of a line loses that one, not the next", () => {
    writeFileSync(file("torn"), '{"v":1}\n{"v":1,"ru');
    openFile(file("torn"))("whole\n");
    expect(readFileSync(file("torn"), "utf8")).toBe('{"v":1}\n{"v":1,"ru\nwhole\n');
  });

  test("keeps the lines of several processes whole", async () => {
    const module = JSON.stringify(join(import.meta.dirname, "../../../src/log/destinations.ts"));
    const script = `const { openFile } = await import(${module}); const write = openFile(process.argv[1]);
      for (let i = 0; i < 500; i++) write(process.argv[2].repeat(400) + "\\n");`;
    const start = (letter: string) =>
      once(spawn(process.execPath, ["--input-type=module", "-e", script, file("shared"), letter]), "exit");
    const codes = await Promise.all(["a", "b", "c"].map(start));
    expect(codes.map(([code]) => code)).toEqual([0, 0, 0]);
    // A process that opens the file while another writes a line sees it unfinished, and ends it: an empty line.
    const lines = readFileSync(file("shared"), "utf8")
      .split("\n")
      .filter((line) => line !== "");
    expect(lines).toHaveLength(1_500);
    expect(lines.filter((line) => !/^(a{400}|b{400}|c{400})$/.test(line))).toEqual([]);
  });
});

test("without a terminal there is no destination", () => {
  expect(openTerminal("win32")).toBeUndefined();
});

describe("settings that cannot be used", () => {
  test.each<[string, NodeJS.ProcessEnv, object[]]>([
    ["nothing asked", {}, []],
    ["a level in capitals", { PROXMOX_LOG_LEVEL: "DEBUG" }, []],
    ["an empty level", { PROXMOX_LOG_LEVEL: "" }, []],
    [
      "an unknown level",
      { PROXMOX_LOG_LEVEL: "verbose" },
      [
        {
          summary: "Unknown log level",
          detail: 'PROXMOX_LOG_LEVEL is "verbose". It can be one of error, warn, info, debug; this run uses info.',
        },
      ],
    ],
    [
      "a log in a missing folder",
      { PROXMOX_LOG_PATH: file("nowhere/a.log") },
      [
        {
          summary: "PROXMOX_LOG_PATH cannot be written",
          detail: `${file("nowhere/a.log")}: the folder does not exist. Nothing is written there in this run, which continues otherwise.`,
        },
      ],
    ],
    [
      "a trace with the path of a folder",
      { PROXMOX_TRACE_PATH: folder },
      [{ summary: "PROXMOX_TRACE_PATH cannot be written", detail: expect.stringContaining("it is a folder") }],
    ],
  ])("%s is reported in a sentence", (_, env, expected) => {
    expect(logSettingProblems(env, true)).toEqual(expected);
  });

  test.each([
    [{ PROXMOX_LOG_LEVEL: "debug" }, 1],
    [{ PROXMOX_LOG_LEVEL: "debug", TF_LOG: "INFO" }, 0],
    [{ PROXMOX_LOG_LEVEL: "debug", PROXMOX_LOG_PATH: "/dev/null" }, 0],
    [{ PROXMOX_TRACE_PATH: "/dev/null" }, 0],
    [{}, 0],
  ])("without a terminal, %j has %i problems", (env, count) => {
    expect(logSettingProblems(env, false)).toHaveLength(count);
  });
});

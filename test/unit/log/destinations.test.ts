import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { logComplaints } from "../../../src/log/complaints.ts";
import { openFile, openTerminal } from "../../../src/log/destinations.ts";

const folder = mkdtempSync(join(tmpdir(), "log-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const file = (name: string) => join(folder, name);

describe("a file for lines", () => {
  test("is made for its owner alone, and added to", () => {
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
    // Who opens the file while another's line is being written sees it unfinished, and ends it: an empty line.
    const lines = readFileSync(file("shared"), "utf8")
      .split("\n")
      .filter((line) => line !== "");
    expect(lines).toHaveLength(1_500);
    expect(lines.filter((line) => !/^(a{400}|b{400}|c{400})$/.test(line))).toEqual([]);
  });
});

test("where there is no terminal, there is none to write to", () => {
  expect(openTerminal("win32")).toBeUndefined();
});

describe("what cannot be had", () => {
  test.each<[string, NodeJS.ProcessEnv, object[]]>([
    ["nothing asked", {}, []],
    ["a level in capitals", { PROXMOX_LOG_LEVEL: "DEBUG" }, []],
    ["an empty level", { PROXMOX_LOG_LEVEL: "" }, []],
    [
      "a level there is not",
      { PROXMOX_LOG_LEVEL: "verbose" },
      [
        {
          summary: "Unknown log level",
          detail: 'PROXMOX_LOG_LEVEL is "verbose". It can be one of error, warn, info, debug; this run uses info.',
        },
      ],
    ],
    [
      "a log in a folder there is not",
      { PROXMOX_LOG_PATH: file("nowhere/a.log") },
      [
        {
          summary: "PROXMOX_LOG_PATH cannot be written",
          detail: `${file("nowhere/a.log")}: there is no such folder. Nothing is written there in this run; everything else goes on.`,
        },
      ],
    ],
    [
      "a trace where a folder is",
      { PROXMOX_TRACE_PATH: folder },
      [{ summary: "PROXMOX_TRACE_PATH cannot be written", detail: expect.stringContaining("it is a folder") }],
    ],
  ])("%s is told in a sentence", (_, env, expected) => {
    expect(logComplaints(env)).toEqual(expected);
  });
});

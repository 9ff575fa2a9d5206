import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { run } from "../../../../src/cli/timeline/timeline.ts";

const folder = mkdtempSync(join(tmpdir(), "timeline-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const recorded = join(import.meta.dirname, "five-vms.jsonl");

async function timeline(...args: string[]) {
  let [stdout, stderr] = ["", ""];
  const note = (text: string) => {
    stdout += text;
  };
  const code = await run(args, { stdout: { write: note }, stderr: { write: (text) => (stderr += text) } });
  return { code, stdout, stderr };
}

interface Given {
  event?: string;
  run?: string;
  pid?: number;
  /** Seconds. */
  start?: number;
  seconds?: number;
  [field: string]: unknown;
}

const zero = Date.UTC(2026, 0, 1);

function line({ event = "step", run: of = "1", pid = 1, start = 0, seconds, ...fields }: Given): string {
  const time = { at: new Date(zero + start * 1_000).toISOString(), mono: 5_000 + start * 1_000 };
  return JSON.stringify({
    v: 1,
    run: of,
    pid,
    ...time,
    event,
    ...(seconds !== undefined && { ms: seconds * 1_000 }),
    ...fields,
  });
}

test.runIf(process.getuid)("the page is a file for this user only", async () => {
  const page = join(folder, "private.html");
  await timeline(recorded, "--output", page);
  expect(statSync(page).mode & 0o777).toBe(0o600);
});

let count = 0;
function traceOf(...lines: (Given | string)[]): string {
  const path = join(folder, `${count++}.jsonl`);
  writeFileSync(path, lines.map((each) => (typeof each === "string" ? each : line(each))).join("\n"));
  return path;
}

const step = (name: string, of: string, start: number, seconds: number, more: Given = {}): Given => ({
  name,
  resource: "proxmox_vm",
  step: of,
  start,
  seconds,
  outcome: "ok",
  ...more,
});

const figure = async (path: string, ...args: string[]) => (await timeline(path, "--format", "text", ...args)).stdout;

describe("a recorded run of five VMs", () => {
  test("is the picture in the documentation", async () => {
    const picture = join(import.meta.dirname, "../../../../docs/images/timeline.svg");
    expect((await timeline(recorded, "--format", "svg")).stdout).toBe(readFileSync(picture, "utf8"));
    expect(statSync(picture).size).toBeLessThan(200_000);
  });

  test("has its figures", async () => {
    const text = await figure(recorded);
    expect(text).toMatch(/^49\.9 s for 5 objects, 203 API calls, 2 retries, 5\.0 s waited for locks, 0 steps failed/m);
    expect(text).toMatch(/^clone +5 +1 min 10 s +12\.6 s +19\.4 s +19\.4 s$/m);
    expect(text).toMatch(/^GET \/nodes\/\{node\}\/tasks +148 /m);
  });

  test("is a page that loads nothing and runs nothing", async () => {
    const { stdout } = await timeline(recorded, "--format", "html", "-o", "-");
    expect(stdout).toMatch(/^<!doctype html>/);
    expect(stdout).toContain("default-src &#39;none&#39;");
    expect(stdout).not.toMatch(/<script|<link rel="stylesheet|@import|url\(| style="| on\w+="/i);
    expect(stdout.match(/(?:src|href)="[^"]*"/g)).toEqual(['href="data:,"']);
    for (const name of ["rancher-manager-1", "rancher-manager-2", "rancher-manager-3", "nprd-apps-1", "nprd-apps-2"]) {
      expect(stdout).toContain(`>${name}</text>`);
    }
  });
});

describe("the figures", () => {
  test("of a step leave out the steps within it", async () => {
    const text = await figure(
      traceOf(
        step("a", "queue", 0, 4),
        step("a", "clone", 0, 10),
        step("a", "stabilise", 9, 1),
        step("a", "start", 10, 2),
      ),
    );
    expect(text).toMatch(/^12\.0 s for 1 objects/m);
    expect(text).toMatch(/^clone +1 +5\.0 s/m);
    expect(text).toMatch(/^queue +1 +4\.0 s/m);
    expect(text).toMatch(/^stabilise +1 +1\.0 s/m);
  });

  test("place processes by the wall clock, and events of one process by the monotonic clock", async () => {
    const jumped = { at: new Date(zero + 3_600_000).toISOString(), mono: 7_000 };
    const path = traceOf(
      { event: "process" },
      step("a", "clone", 0, 2),
      { ...step("a", "start", 2, 1), ...jumped },
      { event: "process", pid: 2, start: 10 },
      step("b", "clone", 10, 2, { pid: 2, mono: 15_000 }),
    );
    expect(await figure(path)).toMatch(/^12\.0 s for 2 objects/m);
  });

  test("count failed, unfinished and repeated steps", async () => {
    const text = await figure(
      traceOf(
        step("a", "start", 0, 3, { outcome: "failed", error: "no memory" }),
        step("b", "clone", 0, 1, { event: "begin" }),
        { event: "lock_wait", name: "a", start: 1, seconds: 2, attempt: 1, error: "can't lock file" },
        { event: "retry", name: "a", start: 1, attempt: 1, error: "reset" },
      ),
    );
    expect(text).toMatch(/2 retries, 2\.0 s waited for locks, 1 steps failed, 1 unfinished$/m);
  });

  test("of a plan are those of its reads", async () => {
    const read = (name: string, start: number) => ({
      ...step(name, "", start, 1),
      event: "operation",
      operation: "read",
    });
    expect(await figure(traceOf(read("a", 0), read("b", 1)))).toMatch(/^read +2 +2\.0 s/m);
  });
});

describe("several runs in one file", () => {
  const path = traceOf(
    step("first", "clone", 0, 1),
    { event: "process", run: "schema", start: 5 },
    step("second", "clone", 10, 1, { run: "2" }),
    { event: "process", run: "3", start: 20 },
  );

  test.each<[string, string[], RegExp]>([
    ["shows the latest that did something", [], /^Run 2 of 2[\s\S]*second/],
    ["shows another by its number", ["--run", "1"], /^Run 1 of 2[\s\S]*first/],
    ["shows all", ["--all"], /^Run 1 of 2[\s\S]*first[\s\S]*^Run 2 of 2[\s\S]*second/m],
  ])("%s", async (_, args, expected) => {
    expect(await figure(path, ...args)).toMatch(expected);
  });
});

describe("a broken trace", () => {
  test("is read as far as possible, and lost lines are counted", async () => {
    const path = traceOf(
      step("a", "clone", 0, 1),
      '{"v":1,"run":"1","pi',
      "null",
      '{"v":2}',
      "",
      line(step("b", "clone", 1, 1)),
    );
    const { stdout, code } = await timeline(path, "--format", "text");
    expect(code).toBe(0);
    expect(stdout).toMatch(/for 2 objects[\s\S]*3 lines of the trace could not be read/);
    expect((await timeline(path)).stderr).toMatch(/^wrote .*\.html; 3 lines of the trace could not be read\n$/);
  });
});

describe("hostile names", () => {
  const name = `<img src=x onerror=alert(1)>"'&\u0000\u001b[31m\ud800]]>`;
  const path = traceOf(
    step(name, name, 0, 2, { task: name, error: name, outcome: "failed" }),
    { event: "call", name, method: name, path: name, status: 500, seconds: 1 },
    { event: "lock_wait", name, seconds: 1, error: name },
  );

  test.each(["html", "svg"])("are only text in %s", async (format) => {
    const { stdout } = await timeline(path, "--format", format, "-o", "-");
    expect(stdout).not.toMatch(/<img|onerror=alert\(1\)>"/);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern searches for them
    expect(stdout).not.toMatch(/[\u0000-\u0008\u001b]/);
    expect(stdout).toContain("&lt;img src=x onerror=alert(1)&gt;&quot;&#39;&amp;");
    expect(stdout.isWellFormed()).toBe(true);
  });

  test("are only text in a terminal", async () => {
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern searches for them
    expect(await figure(path)).not.toMatch(/[\u0000-\u0009\u001b]/);
  });
});

describe("invalid arguments are reported in a sentence", () => {
  const good = traceOf(step("a", "clone", 0, 1));
  test.each<[string[], string]>([
    [[], "timeline takes one trace; see --help."],
    [["/nowhere.jsonl"], "The trace /nowhere.jsonl cannot be read: ENOENT."],
    [[good, "--format", "pdf"], '--format can be html, svg, prom, text, not "pdf".'],
    [[good, "--run", "0"], '--run must be a whole number from 1 on, not "0".'],
    [[good, "--run", "7"], `Run 7 does not exist in ${good}, which contains 1.`],
    [[good, "--run", "1", "--all"], "--run and --all contradict each other."],
    [[good, "--all", "--format", "svg"], "A chart shows one run; choose it with --run."],
    [[good, "--colour"], "Unknown option '--colour'; --help lists the options."],
    [[good, "-o", "/nowhere/else/a.html"], "/nowhere/else/a.html cannot be written: ENOENT."],
    [[traceOf("nonsense")], "is an event."],
    [[traceOf("")], "it is empty, or Terraform changed nothing."],
  ])("%j", async (args, message) => {
    const { code, stdout, stderr } = await timeline(...args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain(message);
  });
});

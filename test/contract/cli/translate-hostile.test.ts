import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test, vi } from "vitest";
import { Document } from "../../../src/cli/translate/hcl/document.ts";
import { Module } from "../../../src/cli/translate/module.ts";
import { run } from "../../../src/cli/translate/translate.ts";

const home = mkdtempSync(join(tmpdir(), "translate-hostile-"));
afterAll(() => rmSync(home, { recursive: true, force: true }));

let number = 0;

function folderWith(text: string): { old: string; out: string } {
  const old = join(home, `old-${++number}`);
  mkdirSync(old);
  writeFileSync(join(old, "main.tf"), text);
  return { old, out: join(home, `new-${number}`) };
}

const resources = (count: number, more = "") =>
  [...Array(count).keys()]
    .map((at) => `resource "proxmox_virtual_environment_vm" "vm${at}" {\n  name = "vm${at}"\n${more}}\n`)
    .join("");

const deep = 20_000;
const nested = (open: string, close: string) =>
  `locals {\n  a =\\\n${open.repeat(deep)}1${close.repeat(deep)}\n}\n`.replace("\\\n", " ");

describe("a configuration that no person wrote", () => {
  test.each([
    ["lists", nested("[", "]")],
    ["parentheses", nested("(", ")")],
    ["objects", nested("{ a = ", " }")],
    ["calls", nested("f(", ")")],
    ["templates", nested('"${', '}"')],
    ["conditions", `locals {\n  a = ${"true ? 1 : ".repeat(deep)}1\n}\n`],
    ["blocks", `${"a {\n".repeat(deep)}${"}\n".repeat(deep)}`],
    ["lists without an end", `locals {\n  a = ${"[".repeat(deep)}\n}\n`],
  ])("ends in one line with its place, not in a stack trace: %s within each other", async (_, text) => {
    const { old, out } = folderWith(text);
    let stderr = "";
    const write = (said: string) => (stderr += said);
    expect(await run([old, "--out", out], { stdout: { write }, stderr: { write }, env: {} })).toBe(1);
    expect(stderr).toMatch(/^main\.tf:\d+: this is not valid HCL: .{1,200} Nothing was written\.\n$/);
  });

  test("is read in time that grows with its length", async () => {
    const text = `locals {\n  a = "${"x".repeat(1_000_000)}"\n}\n`;
    const began = performance.now();
    new Module(new Map([["main.tf", await Document.parse(text)]]));
    expect(performance.now() - began).toBeLessThan(10_000);
  });

  test("finds whose addresses are used in one pass", async () => {
    const count = 3_000;
    const used = 'output "a" {\n  value = proxmox_virtual_environment_vm.vm7[0].ipv4_addresses\n}\n';
    const module = new Module(new Map([["main.tf", await Document.parse(`${resources(count)}${used}`)]]));
    const before = process.memoryUsage().rss;
    const found = [...Array(count).keys()].filter((at) =>
      module.usesAddressOf(`proxmox_virtual_environment_vm.vm${at}`),
    );
    expect(found).toEqual([7]);
    // A pattern for each took 20 KB of compiled code.
    expect(process.memoryUsage().rss - before).toBeLessThan(30_000_000);
  });
});

/** Seconds of the processor that a process has used; Linux only. */
function secondsOf(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  return Number(stat.slice(stat.lastIndexOf(")")).split(" ")[12]) / 100;
}

test.runIf(process.platform === "linux")("Ctrl-C ends a translation that computes, and leaves nothing", async () => {
  const { old, out } = folderWith(resources(20_000, "  cpu {\n    cores = 2\n  }\n"));
  const main = join(import.meta.dirname, "../../../src/main.ts");
  const before = readdirSync(home);
  const child = spawn(process.execPath, [main, "translate", old, "--out", out], { stdio: "ignore" });
  const ended = once(child, "exit");
  await vi.waitFor(() => expect(secondsOf(child.pid ?? 0)).toBeGreaterThan(2), { timeout: 60_000, interval: 50 });
  const pressed = performance.now();
  child.kill("SIGINT");
  expect(await ended).toEqual([null, "SIGINT"]);
  expect(performance.now() - pressed).toBeLessThan(2_000);
  expect(readdirSync(home)).toEqual(before);
});

/**
 * `npm run bench:package`: checks the executable for this machine against its limits. Times are ratios to an empty Node
 * in the same run and, with PEER_PROVIDER=/path/to/it, to another provider; RUNS=21 sets how often each is measured.
 */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { hostPlatform, nameOf } from "../../scripts/package/platform.ts";
import { command, emptyNode, handshake, idleMemory, type Measure, medians } from "./start-measures.ts";

const scripts = join(import.meta.dirname, "../../scripts");
const folder = mkdtempSync(join(tmpdir(), "bench-"));
process.once("exit", () => rmSync(folder, { recursive: true, force: true }));

execFileSync(process.execPath, [join(scripts, "package.ts"), "--out", folder, "--keep", nameOf(hostPlatform())]);
const made = (pattern: RegExp) => join(folder, readdirSync(folder).find((name) => pattern.test(name)) ?? "");
const executable = made(/_v[^_]+$/);

const peer = process.env["PEER_PROVIDER"];
const times = await medians(
  new Map<string, Measure>([
    ["empty Node", emptyNode],
    ["--version", () => command(executable, "--version")],
    ["handshake", () => handshake(executable)],
    ...(peer ? [["peer", () => handshake(peer)] as const] : []),
  ]),
);
const ratio = (name: string, base = "empty Node") => (times.get(name) ?? Number.NaN) / (times.get(base) ?? Number.NaN);

const results: (readonly [what: string, is: number, bar: number, unit: string])[] = [
  ["zip file", statSync(made(/\.zip$/)).size / 1_000_000, 60, "MB"],
  ["idle memory", await idleMemory(executable), 45, "MB"],
  ["--version", ratio("--version"), 1, "× empty Node"],
  ["handshake", ratio("handshake"), 1.5, "× empty Node"],
  ...(peer ? [["handshake", ratio("handshake", "peer"), 1, "× the peer's"] as const] : []),
];
for (const [name, time] of times) process.stdout.write(`${name.padEnd(14)}${time.toFixed(1).padStart(8)} ms\n`);
for (const [what, is, bar, unit] of results) {
  const verdict = is <= bar ? "met" : "MISSED";
  process.stdout.write(`${what.padEnd(14)}${is.toFixed(2).padStart(8)} ${unit}, bar ${bar.toFixed(2)}: ${verdict}\n`);
}
process.exitCode = results.every(([, is, bar]) => is <= bar) ? 0 : 1;

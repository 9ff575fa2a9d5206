import { mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Simulator, startSimulator } from "#simulator";
import { run as drift } from "../../../src/cli/drift/drift.ts";
import { run as exportCluster } from "../../../src/cli/export/export.ts";
import { type, variablesFor } from "./person.ts";

let simulator: Simulator;
let folder: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "interrupted-"));
  mkdirSync(join(folder, "out"));
  simulator = await startSimulator({ speed: 100 });
  const env = variablesFor(simulator, "root@pam!admin");
  expect(await type(exportCluster, ["--out", join(folder, "earlier.json")], env)).toMatchObject({ code: 0 });
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await simulator.close();
});

it.each([
  ["export", exportCluster, (file: string) => ["--out", file]],
  ["drift", drift, () => ["--since", join(folder, "earlier.json")]],
])("a command that is interrupted writes nothing, and says so: %s", async (_, command, args) => {
  const out = join(folder, "out");
  const before = process.listenerCount("SIGINT");
  const ended = type(command, args(join(out, "new")), variablesFor(simulator, "root@pam!admin"));
  await setImmediate();
  expect(process.listenerCount("SIGINT")).toBe(before + 1);
  process.emit("SIGINT");
  expect(await ended).toEqual({ code: 1, stdout: "", stderr: "Interrupted. The cluster is unchanged.\n" });
  expect(readdirSync(out)).toEqual([]);
  expect(process.listenerCount("SIGINT")).toBe(before);
});

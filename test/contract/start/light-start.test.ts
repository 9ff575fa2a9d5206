import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { Core, launch } from "../../harness/index.ts";

const folder = mkdtempSync(join(tmpdir(), "modules-"));
const record = join(folder, "modules.txt");
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const packages = () => {
  const urls = readFileSync(record, "utf8").split("\n");
  const names = urls.flatMap((url) => /\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(url)?.[1] ?? []);
  return [...new Set(names)];
};
const loaded = (path: string) => readFileSync(record, "utf8").includes(path);

test("a provider loads nothing for the handshake, and nothing heavy before it is configured", async () => {
  const preload = join(import.meta.dirname, "record-modules.ts");
  const main = join(import.meta.dirname, "../../../src/main.ts");
  const provider = await launch([process.execPath, "--import", preload, main], { env: { LOADED_MODULES: record } });
  expect(loaded("/src/main.ts")).toBe(true);
  expect(loaded("/src/provider.ts")).toBe(false);
  expect(loaded("/src/framework/")).toBe(false);
  expect(packages()).toEqual([]);

  const core = await Core.connect(provider.wire);
  expect(loaded("/src/provider.ts")).toBe(true);
  expect(packages()).toContain("@msgpack/msgpack");
  expect(packages().filter((name) => ["undici", "zod", "p-retry"].includes(name))).toEqual([]);

  await core.configure({
    endpoint: "https://127.0.0.1:1",
    plan_checks: "off",
    api_token: "ops@pve!tf=00000000-0000-0000-0000-000000000000",
  });
  expect(packages()).toEqual(expect.arrayContaining(["undici", "zod"]));
  expect(loaded("/src/log/trace.ts")).toBe(false);
  await provider.stop();
});

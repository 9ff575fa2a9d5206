import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { bundle, entryName, writeBundle } from "../../../scripts/bundle.ts";
import { preparedAnswers } from "../../../scripts/provider-bundle.ts";
import { Core, launch } from "../../harness/index.ts";
import { definitionsIn, LoadedModules, packagesIn } from "../../harness/loaded-modules.ts";

const main = join(import.meta.dirname, "../../../src/main.ts");
const folder = mkdtempSync(join(tmpdir(), "bundle-"));

beforeAll(async () => writeBundle(folder, await bundle(main, await preparedAnswers())));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const settings = {
  endpoint: "https://127.0.0.1:1",
  plan_checks: "off",
  api_token: "ops@pve!tf=00000000-0000-0000-0000-000000000000",
};

test("a provider loads nothing for the handshake, and nothing heavy before it is configured", async () => {
  using modules = new LoadedModules();
  const loaded = () => modules.processes[0] ?? [];
  const provider = await launch([process.execPath, ...modules.options, main], { env: modules.env });
  expect(loaded()).toContain("src/main.ts");
  expect(loaded()).not.toContain("src/provider.ts");
  expect(loaded().filter((path) => path.startsWith("src/framework/"))).toEqual([]);
  expect(packagesIn(loaded())).toEqual([]);

  const core = await Core.connect(provider.wire);
  expect(loaded()).toContain("src/provider.ts");
  expect(packagesIn(loaded())).toContain("@msgpack/msgpack");
  expect(packagesIn(loaded()).filter((name) => ["undici", "zod", "p-retry"].includes(name))).toEqual([]);

  await core.configure(settings);
  expect(packagesIn(loaded())).toEqual(expect.arrayContaining(["undici", "zod"]));
  expect(loaded()).not.toContain("src/log/trace.ts");
  await provider.stop();
});

test("a built provider loads no definition for its schemas, and afterwards only those that calls are about", async () => {
  using modules = new LoadedModules();
  const loaded = () => modules.processes[0] ?? [];
  const command = [process.execPath, ...modules.options, join(folder, entryName)];
  const provider = await launch(command, { env: modules.env });
  const core = await Core.connect(provider.wire);
  await provider.wire.call("GetMetadata", {});
  await provider.wire.call("GetFunctions", {});
  expect(loaded()).toContain("src/main.ts");
  expect(loaded()).not.toContain("src/provider.ts");
  expect(loaded().filter((path) => path.startsWith("src/framework/"))).toEqual([]);

  await core.configure(settings);
  expect(loaded()).toContain("src/provider.ts");
  expect(definitionsIn(loaded())).toEqual([]);

  await core.resource("proxmox_pool").plan(null, { id: "prod" });
  expect(definitionsIn(loaded())).toEqual(["src/resources/pool/pool.ts"]);
  await core.resource("proxmox_vm").plan(null, { name: "web-1", node: "pve1" });
  expect(definitionsIn(loaded()).sort()).toEqual(["src/resources/pool/pool.ts", "src/resources/vm/vm.ts"]);
  await provider.stop();
});

import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import packageJson from "../../../package.json" with { type: "json" };
import { makeBlob } from "../../../scripts/package/blob.ts";
import { makeExecutable } from "../../../scripts/package/executable.ts";
import { nodeLicense, nodeVersion } from "../../../scripts/package/node-release.ts";
import { hostPlatform } from "../../../scripts/package/platform.ts";
import { bundleProvider } from "../../../scripts/provider-bundle.ts";
import { clientCertificate } from "../../harness/client-certificate.ts";
import { Core, launch } from "../../harness/index.ts";

const folder = mkdtempSync(join(tmpdir(), "packaged-"));
const executable = join(folder, "terraform-provider-proxmox");
const { TF_PLUGIN_MAGIC_COOKIE: _, ...shell } = process.env;
/** A user's shell with variables for another Node, and without Node on the PATH. */
const env = { ...shell, NODE_OPTIONS: "--no-such-option", PATH: "/usr/bin:/bin" };
const run = (...args: string[]) => execFileSync(executable, args, { encoding: "utf8", env });

beforeAll(async () => {
  const { files } = await bundleProvider({ version: "7.8.9", components: [nodeLicense()] });
  makeExecutable(hostPlatform(), await makeBlob(files), executable);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test("the executable contains the Node that everything else runs on", () => {
  expect(nodeVersion).toBe(packageJson.dependencies.node);
  expect(`v${nodeVersion}`).toBe(process.version);
});

test("the executable prints its version, whatever NODE_OPTIONS contains", () => {
  expect(run("--version")).toBe("7.8.9\n");
  expect(run("--help")).toContain("simulate");
});

test("the executable prints the licences of all components, to the last line", () => {
  const licenses = run("--licenses");
  const packages = Object.keys(packageJson.dependencies);
  for (const name of ["terraform-provider-proxmox", ...packages])
    expect(licenses).toMatch(new RegExp(`^  ${name} \\d`, "m"));
  expect(licenses).toContain("Mozilla Public License Version 2.0");
  expect(licenses).toContain("- V8, located at deps/v8"); // Node's own, which has those of its parts
  expect(licenses.length).toBeGreaterThan(150_000); // more than a pipe takes at once
  const last = licenses.split(`${"=".repeat(80)}\n`).at(-1);
  expect(last).toMatch(/^zod .*\n$/s);
});

test("the executable sends Terraform the same schema as the sources", async () => {
  const client = clientCertificate();
  const main = join(import.meta.dirname, "../../../src/main.ts");
  const [packaged, sources] = await Promise.all([
    launch([executable], { client, env: { NODE_OPTIONS: env.NODE_OPTIONS } }),
    launch([process.execPath, main], { client }),
  ]);
  expect(await packaged.wire.call("GetProviderSchema", {})).toEqual(await sources.wire.call("GetProviderSchema", {}));
  const core = await Core.connect(packaged.wire);
  expect(await core.resource("proxmox_vm").validate({ name: "web-1", node: "pve1" })).toEqual([]);
  expect(await Promise.all([packaged.stop(), sources.stop()])).toEqual([0, 0]);
});

test("the executable caches compiled code, for the user only, and works without a cache", () => {
  const cache = join(folder, "cache");
  const versionIn = (xdg: string, more = {}) =>
    execFileSync(executable, ["--version"], { encoding: "utf8", env: { ...env, XDG_CACHE_HOME: xdg, ...more } });
  expect(versionIn(cache, { NODE_DISABLE_COMPILE_CACHE: "1" })).toBe("7.8.9\n");
  expect(existsSync(cache)).toBe(false);
  expect(versionIn(cache)).toBe("7.8.9\n");
  const [build = expect.fail("nothing is kept")] = readdirSync(join(cache, "terraform-provider-proxmox/compiled"));
  const kept = join(cache, "terraform-provider-proxmox/compiled", build);
  const main = join(kept, "provider.mjs");
  expect(statSync(main).mode & 0o777).toBe(0o600);
  expect(statSync(kept).mode & 0o777).toBe(0o700);
  const { mtimeMs } = statSync(main);
  expect(versionIn(cache)).toBe("7.8.9\n");
  expect(statSync(main).mtimeMs).toBe(mtimeMs);
  // A damaged cache is created again, other files are left alone.
  writeFileSync(main, "nonsense");
  expect(versionIn(cache)).toBe("7.8.9\n");
  expect(statSync(main).size).toBeGreaterThan(10_000);
  expect(versionIn(main)).toBe("7.8.9\n");
});

test("the executable is a simulated cluster, too", async () => {
  const simulator = spawn(executable, ["simulate", "--json", "--port", "0"], {
    env,
    stdio: ["ignore", "pipe", "inherit"],
  });
  const said = once(simulator.stdout, "data").then(([line]: Buffer[]) => String(line));
  const left = once(simulator, "exit").then(([code]) => `it ended with ${code}`);
  const { url } = JSON.parse(await Promise.race([said, left])) as { url: string };
  expect(url).toMatch(/^https:\/\/127\.0\.0\.1:\d+$/);
  simulator.kill("SIGTERM");
  expect(await left).toBe("it ended with 0");
});

import { execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import packageJson from "../../../package.json" with { type: "json" };
import { bunLicense, bunVersion } from "../../../scripts/package/bun-release.ts";
import { makeExecutable } from "../../../scripts/package/executable.ts";
import { hostPlatform } from "../../../scripts/package/platform.ts";
import { bundleProvider } from "../../../scripts/provider-bundle.ts";
import { clientCertificate } from "../../harness/client-certificate.ts";
import { Core, launch } from "../../harness/index.ts";

const folder = mkdtempSync(join(tmpdir(), "packaged-"));
const executable = join(folder, "terraform-provider-proxmox");
const { TF_PLUGIN_MAGIC_COOKIE: _, ...shell } = process.env;
/** A user's shell with variables for Node, and without Node on the PATH. */
const env = { ...shell, NODE_OPTIONS: "--no-such-option", PATH: "/usr/bin:/bin" };
const run = (...args: string[]) => execFileSync(executable, args, { encoding: "utf8", env });

beforeAll(async () => {
  const { files } = await bundleProvider({ version: "7.8.9", components: [bunLicense()] });
  makeExecutable(hostPlatform(), files, executable);
}, 300_000); // it may be the first to download Bun
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test("the executable prints its version, whatever NODE_OPTIONS contains", () => {
  expect(run("--version")).toBe("7.8.9\n");
  expect(run("--help")).toContain("simulate");
});

test("the executable contains no name of the folder it was made in, which would differ from build to build", () => {
  expect(readFileSync(executable).includes(join(tmpdir(), "executable-"))).toBe(false);
});

test("the executable prints the licences of all components, to the last line", () => {
  const licenses = run("--licenses");
  const packages = Object.keys(packageJson.dependencies).filter((name) => name !== "node");
  for (const name of ["terraform-provider-proxmox", "bun", ...packages])
    expect(licenses).toMatch(new RegExp(`^  ${name} \\d`, "m"));
  expect(licenses).toContain("Mozilla Public License Version 2.0");
  expect(licenses).toContain(`https://github.com/oven-sh/bun/blob/bun-v${bunVersion}/LICENSE.md`);
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

test("the executable's runtime has the call that makes it compile later, which a new version may drop", () => {
  const call = ["-p", "typeof Bun.unsafe.setJITPolicy"];
  expect(execFileSync(executable, call, { encoding: "utf8", env: { ...env, BUN_BE_BUN: "1" } })).toBe("function\n");
});

test("the executable reads no file of the folder it is started in", () => {
  const place = mkdtempSync(join(folder, "place-"));
  const sprung = join(place, "sprung");
  const files = {
    ".env": "PROXMOX_LOG_LEVEL=trace\nPROXMOX_VE_ENDPOINT=https://planted.example:8006\n",
    ".env.local": "PROXMOX_VE_ENDPOINT=https://planted.example:8006\n",
    "bunfig.toml": `preload = ["./trap.js"]\n[run]\nsilent = true\n[define]\n"process.platform" = "'planted'"\n`,
    "tsconfig.json": '{ "compilerOptions": { "paths": { "node:fs": ["./trap.js"], "*": ["./trap.js"] } } }',
    "package.json": '{ "type": "commonjs", "imports": { "#pve": "./trap.js" }, "main": "./trap.js" }',
    "trap.js": `require("fs").writeFileSync(${JSON.stringify(sprung)}, "");`,
  };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(place, name), text);
  const { PROXMOX_VE_ENDPOINT: _endpoint, ...clean } = env as NodeJS.ProcessEnv;
  const inPlace = (...args: string[]) =>
    spawnSync(executable, args, { cwd: place, encoding: "utf8", env: { ...clean, HOME: place } });
  expect(inPlace("--version").stdout).toBe("7.8.9\n");
  const { stdout, stderr } = inPlace("doctor", "--json");
  expect(stdout + stderr).not.toContain("planted.example");
  expect(existsSync(sprung)).toBe(false);
});

test("variables of Bun run code in the executable, as SECURITY.md says, and those of Node do not", () => {
  const place = mkdtempSync(join(folder, "variables-"));
  const sprung = join(place, "sprung");
  const trap = join(place, "trap.js");
  writeFileSync(trap, `require("fs").writeFileSync(${JSON.stringify(sprung)}, "");`);
  const ranWith = (variables: NodeJS.ProcessEnv, ...args: string[]): boolean => {
    rmSync(sprung, { force: true });
    spawnSync(executable, args, { env: { PATH: env.PATH, ...variables } });
    return existsSync(sprung);
  };
  expect(ranWith({ NODE_OPTIONS: `--require=${trap}` }, "--version")).toBe(false);
  // Bun has no option that shuts them. Once this fails, it has: shut them, and shorten SECURITY.md.
  expect(ranWith({ BUN_OPTIONS: `--preload=${trap}` }, "--version")).toBe(true);
  expect(ranWith({ BUN_BE_BUN: "1" }, trap)).toBe(true);
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

import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import packageJson from "../../../package.json" with { type: "json" };

const root = join(import.meta.dirname, "../../..");
const folder = mkdtempSync(join(tmpdir(), "npm-package-"));
const project = join(folder, "project");
const installed = join(project, "node_modules/terraform-provider-proxmox");

const consumer = `
import { createClient, isPveError, type ListedVm, resolveSettings } from "terraform-provider-proxmox/client";
import { startSimulator } from "terraform-provider-proxmox/simulator";

const simulator = await startSimulator({ speed: 100 });
const { url, caCertificate, tokens } = simulator;
const apiToken = tokens["terraform@pve!tf"] ?? "";
const client = createClient(resolveSettings({ endpoints: [url], apiToken, caCertificate }));
const [node] = await client.nodes.list();
const vms: ListedVm[] = node ? await client.qemu.list(node.node) : [];
process.stdout.write(JSON.stringify(vms.map(({ name }) => name)));
const gone = await client.qemu.list("nowhere").catch((thrown: unknown) => isPveError(thrown) && thrown.kind);
process.stdout.write(JSON.stringify(gone));
await client.close();
await simulator.close();
`;

/** Packed and unpacked as npm does it; the dependencies that it declares, and no others, are linked from this repository. */
beforeAll(() => {
  const built = join(folder, "built");
  execFileSync(process.execPath, [join(root, "scripts/build-npm.ts"), built], { stdio: "pipe" });
  execFileSync("npm", ["pack", "--silent", `--pack-destination=${folder}`, built], { stdio: "pipe" });
  mkdirSync(installed, { recursive: true });
  const archive = join(folder, `terraform-provider-proxmox-${packageJson.version}.tgz`);
  execFileSync("tar", ["-xzf", archive, "-C", installed, "--strip-components=1"]);
  const { dependencies } = JSON.parse(readFileSync(join(installed, "package.json"), "utf8")) as typeof packageJson;
  for (const name of [...Object.keys(dependencies), "@types/node"]) {
    const link = join(project, "node_modules", name);
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(join(root, "node_modules", name), link);
  }
  writeFileSync(join(project, "package.json"), '{ "type": "module" }');
  writeFileSync(join(project, "tsconfig.json"), JSON.stringify({ compilerOptions, files: ["consumer.ts"] }));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const compilerOptions = { strict: true, module: "nodenext", target: "es2024", types: ["node"], skipLibCheck: false };

function compile(text: string) {
  writeFileSync(join(project, "consumer.ts"), text);
  const compiler = join(root, "node_modules/typescript/bin/tsc");
  return spawnSync(process.execPath, [compiler, "-p", project], { encoding: "utf8" });
}

describe("the npm package", () => {
  test("is typed for strict consumers, and runs as JavaScript", () => {
    expect(compile(consumer)).toMatchObject({ stdout: "", status: 0 });
    const run = spawnSync(process.execPath, [join(project, "consumer.js")], { encoding: "utf8" });
    expect(run).toMatchObject({ stderr: "", status: 0 });
    expect(run.stdout).toContain('"ubuntu-24.04-cloud"');
    expect(run.stdout).toMatch(/"\w+"$/); // the kind of the error
  });

  test("has types that find a mistake", () => {
    const { status, stdout } = compile(consumer.replace("endpoints: [url]", "endpoints: url"));
    expect(stdout).toMatch(/consumer\.ts.*Type 'string' is not assignable to type 'readonly string\[\]'/);
    expect(status).not.toBe(0);
  });

  test("contains the provider as a program", () => {
    const { TF_PLUGIN_MAGIC_COOKIE: _, ...env } = process.env;
    const manifest = JSON.parse(readFileSync(join(installed, "package.json"), "utf8")) as {
      bin: Record<string, string>;
    };
    const bin = join(installed, manifest.bin["terraform-provider-proxmox"] ?? "");
    expect(execFileSync(bin, ["--version"], { encoding: "utf8", env })).toBe(`${packageJson.version}\n`);
  });

  test("is not private and does not contain the repository", () => {
    const manifest = JSON.parse(readFileSync(join(installed, "package.json"), "utf8")) as Record<string, unknown>;
    expect(manifest).not.toHaveProperty("private");
    expect(manifest).not.toHaveProperty("scripts");
    expect(packageJson.private).toBe(true);
    for (const name of ["LICENSE", "README.md", "CHANGELOG.md"])
      expect(existsSync(join(installed, name)), name).toBe(true);
    for (const name of ["src", "test", "scripts"]) expect(existsSync(join(installed, name)), name).toBe(false);
  });
});

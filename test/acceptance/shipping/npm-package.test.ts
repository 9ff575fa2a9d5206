import { execFile, execFileSync, spawnSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { checkPackage, createPackageFromTarballData } from "@arethetypeswrong/core";
import { publint } from "publint";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startSimulator } from "#simulator";
import packageJson from "../../../package.json" with { type: "json" };
import { findBinaries } from "../../../src/cli/terraform-binaries.ts";
import { stepsOf } from "../docs/documents.ts";

const root = join(import.meta.dirname, "../../..");
const folder = mkdtempSync(join(tmpdir(), "npm-package-"));
const project = join(folder, "project");
const installed = join(project, "node_modules/terraform-provider-proxmox");

/** The programs in the documentation, by name: each is compiled and run as it is printed. */
const programs = new Map(
  ["docs/guides/client.md", "docs/guides/simulator-library.md"].flatMap((document) =>
    stepsOf(document).flatMap((step) =>
      step.kind === "file" && step.name.endsWith(".ts") ? [[step.name, step.text] as const] : [],
    ),
  ),
);
const textOf = (name: string) => programs.get(name) ?? "";

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
  writeFileSync(join(project, "tsconfig.json"), JSON.stringify({ compilerOptions }));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const compilerOptions = { strict: true, module: "nodenext", target: "es2024", types: ["node"], skipLibCheck: false };

function compile(files: Iterable<readonly [string, string]>) {
  for (const [name, text] of files) writeFileSync(join(project, name), text);
  const compiler = join(root, "node_modules/typescript/bin/tsc");
  const result = spawnSync(process.execPath, [compiler, "-p", project], { encoding: "utf8" });
  for (const [name] of files) rmSync(join(project, name));
  return result;
}

/** Not synchronously: the cluster that a program may use runs in this process. */
function run(command: string, args: string[], env: Record<string, string> = {}) {
  const options = { cwd: project, env: { PATH: process.env["PATH"], ...env } };
  return new Promise<{ status: number; stdout: string; stderr: string }>((resolve) => {
    execFile(command, args, options, (error, stdout, stderr) => {
      resolve({ status: error ? Number(error.code ?? 1) : 0, stdout, stderr });
    });
  });
}

/** What a Node that the package does not support reports of itself, and such a Node itself if this machine has one. */
const fakeOlder = 'data:text/javascript,Object.defineProperty(process,"versions",{value:{node:"20.20.2"}})';
const realOlder = (process.env["PATH"] ?? "")
  .split(":")
  .map((path) => join(path, "node"))
  .find((path) => existsSync(path) && Number.parseInt(execFileSync(path, ["-v"]).toString().slice(1), 10) < 24);

describe("the npm package", () => {
  test("has documented programs that compile for strict consumers, and run as JavaScript", async () => {
    expect([...programs.keys()]).toEqual(["clone.ts", "cluster.test.ts", "without-a-port.ts"]);
    expect(compile(programs)).toMatchObject({ stdout: "", status: 0 });

    const simulator = await startSimulator({ speed: 100 });
    const environment = {
      PROXMOX_VE_ENDPOINT: simulator.url,
      PROXMOX_VE_API_TOKEN: simulator.tokens["terraform@pve!tf"] ?? "",
      PROXMOX_VE_CA_CERTIFICATE: simulator.caCertificate,
    };
    const cloned = await run(process.execPath, ["clone.js"], environment);
    expect(cloned).toMatchObject({ stderr: "", status: 0 });
    expect(cloned.stdout).toMatch(/VM 100 was cloned by UPID:pve1:.*status: 'running'.*\d+ backup jobs/s);
    const refused = await run(process.execPath, ["clone.js"], {
      ...environment,
      PROXMOX_VE_API_TOKEN: simulator.tokens["noacl@pve!tf"] ?? "",
    });
    expect(refused).toMatchObject({ stderr: expect.stringMatching(/^permission: .*no privileges/), status: 1 });
    await simulator.close();

    expect(await run(process.execPath, ["--test", "cluster.test.js"])).toMatchObject({ status: 0 });
    const portless = await run(process.execPath, ["without-a-port.js"]);
    expect(portless).toMatchObject({ stdout: "[ 'pve1', 'pve2', 'pve3' ]\n", stderr: "", status: 0 });
  });

  test("has types that find a mistake", () => {
    const mistaken = textOf("cluster.test.ts").replace("endpoints: [simulator.url]", "endpoints: simulator.url");
    const { status, stdout } = compile([["mistaken.ts", mistaken]]);
    expect(stdout).toMatch(/mistaken\.ts.*Type 'string' is not assignable to type 'readonly string\[\]'/);
    expect(status).not.toBe(0);
  });

  test("is resolved with its types by Node and bundlers, and contains what its manifest names", async () => {
    const { messages } = await publint({ pkgDir: installed, pack: false, level: "suggestion", strict: true });
    expect(messages).toEqual([]);
    const archive = readFileSync(join(folder, `terraform-provider-proxmox-${packageJson.version}.tgz`));
    const analysis = await checkPackage(createPackageFromTarballData(new Uint8Array(archive)));
    expect(analysis.types).not.toBe(false);
    // Modules only: `require` and the resolution of Node 10 are not supported.
    const supported = ["node16-esm", "bundler"];
    const resolutions = Object.values("entrypoints" in analysis ? analysis.entrypoints : {}).flatMap((entry) =>
      supported.map((kind) => entry.resolutions[kind as "bundler"]),
    );
    expect(resolutions.length).toBeGreaterThan(5);
    const untyped = resolutions.filter(({ resolution, isWildcard }) => !isWildcard && resolution === undefined);
    expect(untyped).toEqual([]);
    const problems = "problems" in analysis ? analysis.problems : [];
    const ignored = ["NoResolution", "CJSResolvesToESM"];
    expect(
      problems.filter(
        (problem) =>
          !ignored.includes(problem.kind) ||
          ("resolutionKind" in problem && supported.includes(problem.resolutionKind)),
      ),
    ).toEqual([]);
  });

  const olderNodes: [string, string, string[]][] = [["a Node that says so", process.execPath, ["--import", fakeOlder]]];
  if (realOlder) olderNodes.push(["the older Node of this machine", realOlder, []]);

  test.each(olderNodes)("refuses an older Node in words: %s", async (_, node, flags) => {
    const words = /terraform-provider-proxmox requires Node 24 or newer, and this is Node (20|18|22)\./;
    const program = await run(node, [...flags, join(installed, "bin.js"), "--version"]);
    expect(program).toMatchObject({ stdout: "", stderr: expect.stringMatching(words), status: 1 });
    expect(program.stderr.trim().split("\n")).toHaveLength(1);
    const { exports } = JSON.parse(readFileSync(join(installed, "package.json"), "utf8")) as { exports: object };
    const paths = Object.keys(exports).filter((path) => path !== "./package.json");
    for (const path of paths) {
      const text = `import ${JSON.stringify(`terraform-provider-proxmox${path.slice(1)}`)};`;
      const imported = await run(node, [...flags, "--input-type=module", "-e", text]);
      expect(imported, path).toMatchObject({ stderr: expect.stringMatching(words), status: 1 });
    }
  });

  test("makes a repository for another provider, which passes its own tests at once", async () => {
    const place = join(folder, "terraform-provider-garden");
    const archive = join(folder, `terraform-provider-proxmox-${packageJson.version}.tgz`);
    const create = (...args: string[]) =>
      run(process.execPath, [join(root, "scripts/create-provider.ts"), ...args, "--package", archive], {
        INIT_CWD: folder,
      });
    expect(await create("Two words")).toMatchObject({ status: 1, stderr: expect.stringContaining("lower-case") });
    expect(await create("--force")).toMatchObject({ status: 1, stderr: expect.stringMatching(/^Unknown option.*\n/) });
    // Names of what the example has or uses would be defined twice.
    for (const name of ["book", "string", "object", "proxmox", "terraform"])
      expect(await create(name)).toMatchObject({ status: 1, stderr: expect.stringContaining("choose another name") });
    expect(
      readdirSync(folder).filter((made) => made.startsWith("terraform-provider-") && !made.endsWith(".tgz")),
    ).toEqual([]);
    expect(await create("garden")).toMatchObject({ status: 0, stdout: expect.stringContaining(`cd ${place}`) });
    expect(await create("garden")).toMatchObject({ status: 1, stderr: expect.stringContaining("is not empty") });
    const files = readdirSync(place, { recursive: true, encoding: "utf8" }).filter((path) =>
      /\.(ts|tf|md|json)$/.test(path),
    );
    for (const path of files) expect(readFileSync(join(place, path), "utf8"), path).not.toMatch(/shelf/i);
    // As `npm install` would, without the network.
    symlinkSync(join(project, "node_modules"), join(place, "node_modules"));
    const compiler = join(root, "node_modules/typescript/bin/tsc");
    expect(await run(process.execPath, [compiler, "-p", place])).toMatchObject({ stdout: "", status: 0 });
    const { TF_CLI_CONFIG_FILE: _, ...env } = process.env as Record<string, string>;
    const PATH = [dirname(process.execPath), ...findBinaries().map(({ path }) => dirname(path)), env["PATH"]].join(":");
    const tested = await run("npm", ["test", "--silent", "--prefix", place], { ...env, PATH });
    expect(tested, tested.stdout).toMatchObject({ status: 0 });
    expect(tested.stdout).toMatch(findBinaries().length > 0 ? /pass 3\b/ : /skipped 3\b/);
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

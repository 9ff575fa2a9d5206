import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

/**
 * A guard that finds nothing may be a guard that checks nothing. Each guard gets a fault here, planted in a copy, and
 * must find it.
 */
const root = join(import.meta.dirname, "../..");
const folders: string[] = [];

function plant(copies: string[], faults: Record<string, string>): string {
  const folder = mkdtempSync(join(tmpdir(), "guards-"));
  folders.push(folder);
  for (const name of copies) cpSync(join(root, name), join(folder, name), { recursive: true });
  for (const [path, text] of Object.entries(faults)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
  return folder;
}

afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
}, 120_000);

const bin = (name: string) => join(root, "node_modules/.bin", name);

/** The areas of `src/resources`, as folders. */
const areas = readdirSync(join(root, "src/resources"));

describe("lint", () => {
  const wall = "lint/style/noRestrictedImports";
  const lines = (count: number) => Array.from({ length: count }, (_, i) => `export const x${i} = ${i};\n`).join("");
  const faults: [path: string, rule: string, text: string][] = [
    ["src/framework/a.ts", wall, 'import { x } from "#pve";\nexport const y = x;\n'],
    ["src/framework/b.ts", wall, 'import { x } from "../kit/x.ts";\nexport const y = x;\n'],
    ["src/framework/c.ts", wall, 'export const y = await import("../pve/x.ts");\n'],
    ["src/framework/d.ts", wall, 'import { x } from "#pve/slots";\nexport const y = x;\n'],
    ["src/text/a.ts", wall, 'import { x } from "../log/line.ts";\nexport const y = x;\n'],
    ["src/pve/a.ts", wall, 'import { x } from "#framework";\nexport const y = x;\n'],
    ["src/plugin/a.ts", wall, 'import { x } from "#pve";\nexport const y = x;\n'],
    ["src/kit/a.ts", wall, 'import { x } from "#plugin";\nexport const y = x;\n'],
    ["src/resources/vm/a.ts", wall, 'import { x } from "#framework";\nexport const y = x;\n'],
    ...areas.map((area): [string, string, string] => [
      `src/resources/${area === "nodes" ? "version" : "nodes"}/imports-${area}.ts`,
      wall,
      `import { x } from "../${area}/x.ts";\nexport const y = x;\n`,
    ]),
    ["src/resources/vm/plan/b.ts", wall, 'import { x } from "../../storage/x.ts";\nexport const y = x;\n'],
    ["src/resources/ha/a.ts", wall, 'import { x } from "../vm/lifecycle/x.ts";\nexport const y = x;\n'],
    ["src/resources/guest/a.ts", wall, 'import { x } from "../vm/x.ts";\nexport const y = x;\n'],
    ["src/simulator/a.ts", wall, 'import { x } from "../pve/x.ts";\nexport const y = x;\n'],
    ["src/simulator/core/kernel/a.ts", wall, 'import { x } from "../../qemu/x.ts";\nexport const y = x;\n'],
    ["src/simulator/core/kernel/b.ts", wall, 'import { x } from "#pve";\nexport const y = x;\n'],
    ["src/simulator/core/kernel/c.ts", wall, 'import { x } from "../../../pve/x.ts";\nexport const y = x;\n'],
    ["src/simulator/storage/a.ts", wall, 'import { x } from "../qemu/x.ts";\nexport const y = x;\n'],
    ["src/simulator/guests/a.ts", wall, 'import { x } from "../lxc/x.ts";\nexport const y = x;\n'],
    ["src/simulator/lxc/a.ts", wall, 'import { x } from "../qemu/x.ts";\nexport const y = x;\n'],
    ["src/simulator/qemu/disks/a.ts", wall, 'import { x } from "../../backup/x.ts";\nexport const y = x;\n'],
    ["src/simulator/qemu/disks/b.ts", wall, 'import { x } from "../../../pve/x.ts";\nexport const y = x;\n'],
    ["src/simulator/nodes/a.ts", wall, 'import { x } from "../seed/x.ts";\nexport const y = x;\n'],
    ["src/log.ts", wall, 'import { x } from "#framework";\nexport const y = x;\n'],
    ["src/pve/long.ts", "lint/style/noExcessiveLinesPerFile", lines(401)],
    ["test/long.ts", "lint/style/noExcessiveLinesPerFile", lines(501)],
    [
      "src/pve/float.ts",
      "lint/nursery/noFloatingPromises",
      "async function f() {}\nexport function g() {\n  f();\n}\n",
    ],
    ["src/pve/print.ts", "lint/suspicious/noConsole", 'console.log("to stdout");\n'],
    ["src/pve/default.ts", "lint/style/noDefaultExport", "export default 1;\n"],
    ["src/pve/any.ts", "lint/suspicious/noExplicitAny", "export const x: any = 1;\n"],
    ["src/pve/camelCase.ts", "lint/style/useFilenamingConvention", "export const x = 1;\n"],
    ["src/pve/barrel.ts", "lint/performance/noBarrelFile", 'export { x } from "./any.ts";\n'],
    ["src/pve/one.ts", "lint/suspicious/noImportCycles", 'import { b } from "./two.ts";\nexport const a = () => b;\n'],
    ["src/pve/two.ts", "lint/suspicious/noImportCycles", 'import { a } from "./one.ts";\nexport const b = () => a;\n'],
  ];
  const sound = {
    "src/pve/sound.ts": 'import { x } from "./any.ts";\n\nexport const y = x;\n',
    "src/simulator/core/kernel/sound.ts": 'import { x } from "../schema/x.ts";\n\nexport const y = x;\n',
    "src/resources/vm/plan/sound.ts": 'import { x } from "../../guest/x.ts";\n\nexport const y = x;\n',
    "src/resources/ha/sound.ts": 'import { x } from "../guest/x.ts";\n\nexport const y = x;\n',
  };

  const folder = plant(["biome.json", ".gitignore", "package.json"], {
    ...Object.fromEntries(faults.map(([path, , text]) => [path, text])),
    ...sound,
    "src/simulator/core/schema/x.ts": "export const x = 1;\n",
  });
  const { stdout } = spawnSync(bin("biome"), ["lint", "--reporter=json", "--max-diagnostics=none"], {
    cwd: folder,
    encoding: "utf8",
  });
  const { diagnostics } = JSON.parse(stdout) as { diagnostics: { category: string; location: { path: unknown } }[] };
  const found = diagnostics.map(({ category, location }) => `${pathOf(location.path)} ${category}`);

  test.each(faults)("finds the problem in %s: %s", (path, rule) => {
    expect(found).toContain(`${path} ${rule}`);
  });

  test.each(Object.keys(sound))("finds no problem in %s", (path) => {
    expect(found.filter((line) => line.startsWith(path))).toEqual([]);
  });
});

function pathOf(path: unknown): string {
  return typeof path === "string" ? path : (path as { file: string }).file;
}

describe("dead code", () => {
  test("is found in files and exports", { timeout: 60_000 }, () => {
    const folder = plant(["package.json", "knip.json", "tsconfig.json"], {
      "src/main.ts": 'import { used } from "./cli/version.ts";\n\nprocess.exitCode = used;\n',
      "src/cli/version.ts": "export const used = 1;\nexport const neverAskedFor = 1;\n",
      "src/pve/never-imported.ts": "export const alone = 1;\n",
    });
    const { stdout, status } = spawnSync(bin("knip"), ["--no-progress"], { cwd: folder, encoding: "utf8" });
    expect(stdout).toContain("src/pve/never-imported.ts");
    expect(stdout).toContain("neverAskedFor");
    expect(stdout).not.toMatch(/\bused\b/);
    expect(status).not.toBe(0);
  });
});

describe("generated files", () => {
  const faults: [fault: string, path: string, text: string, stale: string][] = [
    ["one was changed by hand", "src/plugin/gen/health.ts", "// by hand\n", "src/plugin/gen/health.ts"],
    ["a page of the documentation was", "docs/resources/pool.md", "# By hand\n", "docs/resources/pool.md"],
    ["the interface was", "schema/provider.json", "{}\n", "schema/provider.json"],
    [
      "an example has changed",
      "examples/resources/proxmox_vm/resource.tf",
      'resource "proxmox_vm" "a" {}\n',
      "docs/resources/vm.md",
    ],
    ["one is left over", "src/plugin/gen/left-over.ts", "export const x = 1;\n", "src/plugin/gen/left-over.ts"],
    [
      "their source has changed",
      "schema/proto/added.proto",
      'syntax = "proto3";\npackage added;\nmessage M { bool b = 1; }\n',
      "src/plugin/gen/added.ts",
    ],
  ];
  let found: string[] = [];
  let status: number | null = null;

  beforeAll(() => {
    const folder = plant(
      ["package.json", "schema", "scripts", "src", "docs", "examples"],
      Object.fromEntries(faults.map(([, path, text]) => [path, text])),
    );
    const args = ["scripts/generate/generate.ts", "--check"];
    const checked = spawnSync(process.execPath, args, { cwd: folder, encoding: "utf8" });
    found = [...checked.stderr.matchAll(/^(\S+) is out of date/gm)].map(([, path = ""]) => path);
    status = checked.status;
  }, 60_000);

  test.each(faults)("are found stale when %s", (_, _path, _text, stale) => {
    expect(found).toContain(stale);
    expect(status).toBe(1);
  });

  test("are accepted as they are", () => {
    expect(found.sort()).toEqual(faults.map(([, , , stale]) => stale).sort());
  });
});

describe("stdout", () => {
  test("cannot be written to by the code of a test", () => {
    expect(() => process.stdout.write("not the handshake")).toThrow("reserved for the plugin handshake");
  });
});

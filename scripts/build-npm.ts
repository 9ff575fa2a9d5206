/**
 * `npm run build:npm`: the package for publication, in `dist/npm` or in the given folder: the client and the simulator
 * as modules with types, and the provider as a program. `package.json` itself is private, since the repository is not
 * what is published: its scripts, its sources and its own Node stay here.
 */
import { execFileSync } from "node:child_process";
import { chmodSync, cpSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import packageJson from "../package.json" with { type: "json" };
import { entryName, writeBundle } from "./bundle.ts";
import { bundleProvider } from "./provider-bundle.ts";

const root = join(import.meta.dirname, "..");
const [, , out = join(root, "dist/npm")] = process.argv;

const { name, version, description, license, type, dependencies } = packageJson;

const entry = (layer: string) => ({ types: `./${layer}/index.d.ts`, default: `./${layer}/index.js` });

const manifest = {
  name,
  version,
  description,
  license,
  type,
  // The version that the tests use.
  engines: { node: ">=24" },
  bin: { [name]: "./bin.js" },
  exports: {
    "./client": entry("pve"),
    "./simulator": entry("simulator"),
    "./msw": { types: "./simulator/msw.d.ts", default: "./simulator/msw.js" },
    "./package.json": "./package.json",
  },
  // The client's dependencies. The simulator has none, and the program contains its own.
  dependencies: { "p-retry": dependencies["p-retry"], undici: dependencies.undici, zod: dependencies.zod },
};

rmSync(out, { recursive: true, force: true });
const compiler = join(root, "node_modules/typescript/bin/tsc");
const project = join(root, "scripts/npm-package/tsconfig.json");
execFileSync(process.execPath, [compiler, "-p", project, "--outDir", out], { stdio: "inherit" });
writeBundle(join(out, "provider"), (await bundleProvider()).files);
writeFileSync(join(out, "bin.js"), `#!/usr/bin/env node\nimport "./provider/${entryName}";\n`);
chmodSync(join(out, "bin.js"), 0o755);
writeFileSync(join(out, "package.json"), `${JSON.stringify(manifest, null, 2)}\n`);
for (const file of ["CHANGELOG.md", "LICENSE", "README.md"]) cpSync(join(root, file), join(out, file));
process.stderr.write(`built ${out}\n`);

/**
 * `npm run cdktf`: typed packages for the two libraries that write Terraform configurations in TypeScript, generated
 * from `schema/provider.json` into `bindings/<library>-provider-proxmox`.
 */
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { version } from "../../src/cli/version.ts";
import { sourceAddress } from "../../src/source-address.ts";
import { type Flavour, flavours } from "./generators.ts";

const root = join(import.meta.dirname, "../..");
/** Here and not in the package, since the compiler searches for the libraries from the folder of the sources. */
const sources = join(import.meta.dirname, ".gen");

for (const flavour of flavours()) {
  const folder = join(sources, flavour.library);
  rmSync(folder, { recursive: true, force: true });
  await flavour.generate(readSchema(), folder);
  const target = join(root, "bindings", `${flavour.library}-provider-proxmox`);
  rmSync(target, { recursive: true, force: true });
  compile(join(folder, "providers/proxmox"), join(target, "lib"));
  writePackage(flavour, target);
  process.stderr.write(`made ${target}\n`);
}

function readSchema(): object {
  const schema = JSON.parse(readFileSync(join(root, "schema/provider.json"), "utf8")) as object;
  return { ...schema, provider_versions: { [sourceAddress]: version } };
}

function compile(from: string, to: string): void {
  const compilerOptions = {
    target: "es2022",
    module: "commonjs",
    moduleResolution: "bundler",
    strict: true,
    declaration: true,
    // The libraries' own declarations were written for older compilers.
    skipLibCheck: true,
    types: ["node"],
    rootDir: from,
    outDir: to,
  };
  const project = join(from, "tsconfig.json");
  writeFileSync(project, JSON.stringify({ compilerOptions, include: [from] }));
  execFileSync(join(root, "node_modules/.bin/tsc"), ["--project", project], { stdio: "inherit" });
}

function writePackage({ library, version: of }: Flavour, target: string): void {
  const manifest = {
    name: `@proxmox-ts/${library}-provider-proxmox`,
    version,
    description: `Typed ${library} bindings of the Terraform provider for Proxmox VE 9`,
    license: "MPL-2.0",
    main: "lib/index.js",
    types: "lib/index.d.ts",
    exports: {
      ".": { types: "./lib/index.d.ts", default: "./lib/index.js" },
      "./*": { types: "./lib/*/index.d.ts", default: "./lib/*/index.js" },
    },
    files: ["lib"],
    peerDependencies: { [library]: `^${of}`, constructs: "^10.6.0" },
  };
  mkdirSync(target, { recursive: true });
  writeFileSync(join(target, "package.json"), `${JSON.stringify(manifest, null, 2)}\n`);
  cpSync(join(root, "LICENSE"), join(target, "LICENSE"));
}

/**
 * `npm run build:npm`: the package for publication, in `dist/npm` or in the given folder: the client and the simulator
 * as modules with types, and the provider as a program. `package.json` itself is private, since the repository is not
 * what is published: its scripts, its sources and its own Node stay here.
 */
import { execFileSync } from "node:child_process";
import { chmodSync, cpSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import packageJson from "../package.json" with { type: "json" };
import { entryName, writeBundle } from "./bundle.ts";
import { bundleProvider } from "./provider-bundle.ts";

const root = join(import.meta.dirname, "..");
const [, , out = join(root, "dist/npm")] = process.argv;

const { name, version, description, license, type, dependencies } = packageJson;

/** The major version that the tests use; some of its modules do not exist before. */
const oldestNode = 24;

/** What each subpath of the package exports, by the file that it is compiled to, without the extension. */
const modules = {
  client: "pve/index",
  simulator: "simulator/index",
  msw: "simulator/msw",
  framework: "public/index",
};

const exportOf = (module: string) => ({ types: `./${module}.d.ts`, default: `./${module}.js` });

/** An older Node would report a missing export of a module of its own. */
const nodeCheck = `const { node } = process.versions;
if (Number.parseInt(node, 10) < ${oldestNode}) {
  throw new Error(\`${name} requires Node ${oldestNode} or newer, and this is Node \${node}. Install a newer one: https://nodejs.org\`);
}
`;

const program = `#!/usr/bin/env node
import("./supported-node.js").then(
  () => import("./provider/${entryName}"),
  ({ message }) => {
    process.stderr.write(\`\${message}\\n\`);
    process.exitCode = 1;
  },
);
`;

const manifest = {
  name,
  version,
  description,
  license,
  type,
  engines: { node: `>=${oldestNode}` },
  bin: { [name]: "./bin.js" },
  exports: {
    ...Object.fromEntries(Object.entries(modules).map(([path, module]) => [`./${path}`, exportOf(module)])),
    "./package.json": "./package.json",
  },
  // Names of layers, as in the sources.
  imports: { "#framework": "./framework/index.js", "#plugin": "./plugin/index.js" },
  // Those of the client, then those of the framework. The simulator has none, and the program contains its own.
  dependencies: {
    "p-retry": dependencies["p-retry"],
    undici: dependencies.undici,
    zod: dependencies.zod,
    "@msgpack/msgpack": dependencies["@msgpack/msgpack"],
    pino: dependencies.pino,
  },
};

rmSync(out, { recursive: true, force: true });
const compiler = join(root, "node_modules/typescript/bin/tsc");
const project = join(root, "scripts/npm-package/tsconfig.json");
execFileSync(process.execPath, [compiler, "-p", project, "--outDir", out], { stdio: "inherit" });
writeBundle(join(out, "provider"), (await bundleProvider()).files);
writeFileSync(join(out, "supported-node.js"), nodeCheck);
for (const module of Object.values(modules)) {
  const path = join(out, `${module}.js`);
  writeFileSync(path, `import "../supported-node.js";\n${readFileSync(path, "utf8")}`);
}
writeFileSync(join(out, "bin.js"), program);
chmodSync(join(out, "bin.js"), 0o755);
writeFileSync(join(out, "package.json"), `${JSON.stringify(manifest, null, 2)}\n`);
for (const file of ["CHANGELOG.md", "LICENSE", "README.md"]) cpSync(join(root, file), join(out, file));
process.stderr.write(`built ${out}\n`);
